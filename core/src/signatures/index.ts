export {
  type DigestAlgorithm,
  digest,
  digestAlgorithm,
  digestAlgorithms,
  type Hasher,
} from './algorithms/digest.js'
export { cmsPem, exportCms } from './cms/export-cms.js'
export { children, contents, type DerElement, DerError, encoded, readDer, readElement } from './der/reader.js'
export { signatureErrors } from './errors.js'
export type { Trust } from './path/trust.js'
export * from './ports.js'
export type { ReadSignature } from './signature.js'
export { type Evidence, type SignatureInput, SignatureVerifier, type VerifiedSignature } from './signature-verifier.js'
export { Certificate } from './x509/certificate.js'
