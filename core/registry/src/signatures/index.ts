export * from '@signed-registry/verifier'
export { signaturesArea } from './area.js'
export { AskAuthorityStatus } from './ask-authority-status.js'
export { TimeStampBytes } from './ask-time-stamp.js'
export { publicAddress } from './authority-call.js'
export type { BundledDocument, BundledReport, BundledSigner } from './bundled-report.js'
export { CheckedSignature, CheckedSigner, RegisteredAt } from './checked-signature.js'
export { CollectEvidence } from './collect-evidence.js'
export { JudgeSignature, ReportSignatures } from './judge-signature.js'
export { type JudgedInput, type SignatureMarks, unreadable, worstOf } from './judgement.js'
export { LargeReading } from './large-signatures.js'
export { SignatureLimits } from './limits.js'
export * from './ports.js'
export { readCertificates } from './read-signature.js'
export type { ReportedInput } from './reported-files.js'
export {
  AlternativeName,
  HolderFacts,
  OcspFacts,
  Signature,
  SignatureCoverage,
  SignatureFacts,
  StructuredName,
  signatureInput,
  TspFacts,
} from './schema.js'
export { evidenceTime, signatureFacts, signerFacts, signerKey, statedCoverage } from './signature-facts.js'
export { defaultSignaturePolicy, SignaturePolicy } from './signature-policy.js'
export { type Evidence, type SignatureInput, SignatureVerifier, type VerifiedSignature } from './signature-verifier.js'
export { StandardSignatureVerifier } from './standard-signature-verifier.js'
export { VerifyPresentCertificate, VerifyPresentSignature } from './verify-present-signature.js'
export { VerifyRecords } from './verify-records.js'
