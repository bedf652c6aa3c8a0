export { type DigestAlgorithm, digest, digestAlgorithm, digestAlgorithms, type Hasher } from './algorithms/digest.js'
export type { AlgorithmEvaluation, AlgorithmEvaluations } from './algorithms/evaluations.js'
export { type AlgorithmPolicy, defaultAlgorithmPolicy, digestTrustedUntil, namesDays } from './algorithms/policy.js'
export { publicKey } from './algorithms/public-key.js'
export { signatureScheme } from './algorithms/signature-scheme.js'
export type { ByteSource } from './byte-source.js'
export { catalogueErrors } from './catalogue/errors.js'
export { etsiCatalogue } from './catalogue/etsi-ts-119-312.js'
export { type AlgorithmCatalogue, readAlgorithmCatalogue } from './catalogue/read-catalogue.js'
export { CHECK_NAMES, type Check, type CheckName, Checks } from './checks.js'
export { withContent } from './cms/content-of-cms.js'
export { decodeSignature } from './cms/decode-signature.js'
export { cmsPem, type ExportedEvidence, exportCms } from './cms/export-cms.js'
export { genTimeOf } from './cms/gen-time.js'
export { joinCms } from './cms/join-cms.js'
export { type LongTermEvidence, longTermCms } from './cms/long-term-cms.js'
export { type CmsOptions, LONGEST_CMS, readCms, readCmsSigners } from './cms/read-cms.js'
export { children, contents, type DerElement, encoded, isNotDer, readDer, readElement } from './der/reader.js'
export {
  defineErrors,
  type ErrorCatalogue,
  type ErrorDetails,
  type ErrorKind,
  type ErrorText,
  RegistryError,
  RegistryError as VerifierError,
} from './error.js'
export { signatureErrors } from './errors.js'
export {
  type BundledDocument,
  type DocumentBeside,
  type EvidenceOptions,
  type EvidenceVerdict,
  strangersOf,
  verifyEvidence,
} from './evidence/verify-evidence.js'
export type { Indication, SubIndication, Unsupported, UnsupportedFeature } from './indication.js'
export { noteErrors } from './notes/errors.js'
export { REPORT_NOTE, type ReportForm, type ReportNote, reportNoteText, verifyReport } from './notes/report-note.js'
export { readNote, signNote, verifySignedNote } from './notes/signed-note.js'
export { readVerifierKey, verifierKey } from './notes/verifier-key.js'
export { buildPath } from './path/build-path.js'
export type { CertificatePath, PathContext } from './path/path-context.js'
export type { PolicyInputs } from './path/policy-state.js'
export { readTrust, type TrustFile } from './path/read-trust.js'
export type { Trust } from './path/trust.js'
export { pem } from './pem.js'
export { certificatesEnd, type ProofEnds, proofEnds } from './proof-ends.js'
export { hasEnded, type TsaExpiry } from './proven-times.js'
export type { CertificateReport } from './report/certificate-report.js'
export {
  type EvidenceReport,
  evidenceReport,
  type ProblemReport,
  type RegistrySays,
  type SaidDocument,
} from './report/evidence/evidence-report.js'
export type { ExistenceReport, LoggedEntry, LogReport } from './report/evidence/log-report.js'
export {
  type ChainReport,
  type RecordedProof,
  type RecordReport,
  recordedProof,
} from './report/evidence/record-report.js'
export type { DigestReport, FileReport, ReportedFile } from './report/file-report.js'
export { type Finding, findingOf } from './report/finding.js'
export { calledName, identityOf } from './report/names.js'
export type { RulesReport } from './report/rules-report.js'
export type { SignatureReport, TimeStampReport } from './report/signature-report.js'
export type { StatusReport } from './report/status-report.js'
export { utc } from './report/utc.js'
export { reportWords } from './report/words.js'
export type { ReportLanguage, ReportWords } from './report/words-en.js'
export { type ReportOptions, reportJson, reportOf, type VerificationReport } from './report.js'
export { reportHtml } from './report-html.js'
export { reportXml } from './report-xml.js'
export type {
  CarriedEvidence,
  CarriedTimeStamp,
  EvidenceTaken,
  ReadSignature,
  SignedDigest,
  UnusedEvidence,
} from './signature.js'
export { evidenceFields } from './signature.js'
export type {
  Change,
  DocumentInFile,
  EvidenceInFile,
  FileDigests,
  FileFormat,
  FileProblem,
  FileProblemCode,
  NamedByUri,
  Ranges,
  Revision,
  SignatureInFile,
  SignedFile,
  SignedPart,
  TimeStampInFile,
} from './signed-file.js'
export { outcomeOfFileProblem } from './signed-file.js'
export { signedFileErrors } from './signed-file-errors.js'
export { authenticationKeyRules, authenticationRules, defaultSignerRules, type SignerRules } from './signer-usage.js'
export type { SigningCertificateRule } from './signing-certificate-rule.js'
export { type CrlProof, type CrlProofContext, proveByCrls } from './status/crl-proof.js'
export { buildOcspRequest } from './status/ocsp-request.js'
export { ocspResponseOf, readOcspResponse } from './status/ocsp-response.js'
export type { StatusProof } from './status/prove-status.js'
export { responderOfAny } from './status/responder-of-any.js'
export type { StatusContext } from './status/status-context.js'
export type { OcspContext } from './status/verify-ocsp.js'
export { type CertificateStatus, verifyOcsp } from './status/verify-ocsp.js'
export { capital, signatureTerms, type Term } from './terms.js'
export { buildTimeStampRequest, readTimeStampResponse } from './timestamp/time-stamp-exchange.js'
export {
  type RevocationDemand,
  type TimeStamp,
  type TimeStampContext,
  verifyTimeStamp,
  verifyTimeStampToken,
} from './timestamp/verify-time-stamp.js'
export type { Coverage, Missing, SignerVerdict, Verdict } from './verdict.js'
export {
  type EvidenceContext,
  type EvidenceSource,
  issuerIn,
  type ProvedSignature,
  type SignatureContext,
  type SignatureProof,
  type StatusMoment,
  verifySignatureWith,
} from './verification.js'
export { type DocumentContent, type NamedDocument, type VerifyOptions, verify } from './verify.js'
export {
  type DocumentVerdict,
  documentUriOf,
  type FilesVerdict,
  type GivenDocument,
  type GivenFiles,
  type GivenSignature,
  joinVerdicts,
  LARGEST_FOR_XML,
  type Outcome,
  outcomeOf,
  verifyFiles,
  worstOutcome,
} from './verify-files.js'
export { type SignatureEvidence, verifySignature } from './verify-signature.js'
export { RULES_VERSION, VERIFIER_VERSION } from './version.js'
export { Certificate } from './x509/certificate.js'
export { Crl } from './x509/crl.js'
export { type GeneralName, type GeneralNameType, generalNamesText } from './x509/general-name.js'
export { type Identity, readIdentity } from './x509/identity.js'
export { Name, type NameAttribute } from './x509/name.js'
export { filesByUri } from './xml/files-by-uri.js'
export type { XmlSignatureOptions } from './xml/open-signature.js'
export { readXmlSignature } from './xml/read-xml-signature.js'
export { textNodes } from './xml/text-nodes.js'
export { type VerifiedXml, verifyXmlDocument, verifyXmlSignatures } from './xml/verify-xml-document.js'
