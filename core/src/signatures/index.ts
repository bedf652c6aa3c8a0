export {
  type DigestAlgorithm,
  digest,
  digestAlgorithm,
  digestAlgorithms,
  type Hasher,
} from './algorithms/digest.js'
export { cmsPem, exportCms } from './cms/export-cms.js'
export { CollectEvidence } from './collect-evidence.js'
export { children, contents, type DerElement, DerError, encoded, readDer, readElement } from './der/reader.js'
export { signatureErrors } from './errors.js'
export { ConfiguredTrust } from './online/configured-trust.js'
export {
  OnlineAuthoritiesOptions,
  OnlineStatusSource,
  OnlineTimestampSource,
  onlineAuthorities,
} from './online/online-authorities.js'
export type { Trust } from './path/trust.js'
export * from './ports.js'
export type { ReadSignature } from './signature.js'
export { type Evidence, type SignatureInput, SignatureVerifier, type VerifiedSignature } from './signature-verifier.js'
export { type CertificateStatus, type OcspContext, verifyOcsp } from './status/verify-ocsp.js'
export { type TimeStamp, type TimeStampContext, verifyTimeStamp } from './timestamp/verify-time-stamp.js'
export {
  type EvidenceContext,
  type KeptEvidence,
  type SignatureProof,
  type Signer,
  verifyEvidence,
} from './verify-evidence.js'
export { Certificate } from './x509/certificate.js'
