// The verifier and the registry share one class of errors; the verifier, which does not depend on the registry, declares it.
export {
  defineErrors,
  type ErrorCatalogue,
  type ErrorDetails,
  type ErrorKind,
  type ErrorText,
  RegistryError,
} from '@signed-registry/verifier'
