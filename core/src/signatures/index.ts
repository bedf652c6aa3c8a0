export {
  type DigestAlgorithm,
  digest,
  digestAlgorithm,
  digestAlgorithms,
  type Hasher,
} from './algorithms/digest.js'
export { type AlgorithmPolicy, defaultAlgorithmPolicy } from './algorithms/policy.js'
export type { Check, CheckName } from './checks.js'
export { decodeSignature } from './cms/decode-signature.js'
export { cmsPem, type ExportedEvidence, exportCms } from './cms/export-cms.js'
export { type CmsOptions, readCms } from './cms/read-cms.js'
export { CollectEvidence } from './collect-evidence.js'
export { children, contents, type DerElement, DerError, encoded, readDer, readElement } from './der/reader.js'
export { signatureErrors } from './errors.js'
export { signaturesModule } from './module.js'
export { ConfiguredTrust } from './online/configured-trust.js'
export {
  OnlineAuthoritiesOptions,
  OnlineStatusSource,
  OnlineTimestampSource,
  onlineAuthorities,
} from './online/online-authorities.js'
export { buildPath, type CertificatePath, type PathContext } from './path/build-path.js'
export type { PolicyInputs } from './path/policy-state.js'
export type { Trust } from './path/trust.js'
export * from './ports.js'
export {
  AlternativeName,
  OcspFacts,
  Signature,
  SignatureFacts,
  StructuredName,
  signatureInput,
  TspFacts,
} from './schema.js'
export type { ReadSignature } from './signature.js'
export { signatureFacts, signerFacts } from './signature-facts.js'
export { defaultSignaturePolicy, SignaturePolicy } from './signature-policy.js'
export { type Evidence, type SignatureInput, SignatureVerifier, type VerifiedSignature } from './signature-verifier.js'
export { authenticationRules, defaultSignerRules, type SignerRules } from './signer-usage.js'
export { StandardSignatureVerifier } from './standard-signature-verifier.js'
export { type CrlProof, type CrlProofContext, proveByCrls } from './status/crl-proof.js'
export { type CertificateStatus, type OcspContext, verifyOcsp } from './status/verify-ocsp.js'
export { type TimeStamp, type TimeStampContext, verifyTimeStamp } from './timestamp/verify-time-stamp.js'
export {
  type EvidenceContext,
  type KeptEvidence,
  type SignatureProof,
  type Signer,
  verifyEvidence,
} from './verify-evidence.js'
export { VerifyPresentSignature } from './verify-present-signature.js'
export {
  type SignatureContext,
  type SignatureEvidence,
  type SignatureVerdict,
  verifySignature,
} from './verify-signature.js'
export { Certificate } from './x509/certificate.js'
export { Crl } from './x509/crl.js'
export { type Identity, readIdentity } from './x509/identity.js'
export { Name, type NameAttribute } from './x509/name.js'
export type { XmlSignatureOptions } from './xml/open-signature.js'
export { readXmlSignature } from './xml/read-xml-signature.js'
export { textNodes } from './xml/text-nodes.js'
export { type VerifiedXml, verifyXmlDocument, verifyXmlSignatures } from './xml/verify-xml-document.js'
