// One class of coded errors for the verifier and the registry: the verifier, which needs nothing of the registry, declares it.
export {
  defineErrors,
  type ErrorCatalogue,
  type ErrorDetails,
  type ErrorKind,
  type ErrorText,
  RegistryError,
} from '@signed-registry/verifier'
