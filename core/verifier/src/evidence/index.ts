export { type ByteSource, partOf, piecesOf, sourceOf } from '../byte-source.js'
export { certificatesIn } from './bundle-signatures.js'
export { type CheckpointTime, isOutside } from './checkpoint-time.js'
export { copiesThatDiffer, isJoined, originalThatDiffers, signaturesOfOther, statedDigests } from './compare-bundle.js'
export type { LoggedDocument, LoggedSignature } from './compare-logged.js'
export { overOf } from './covered.js'
export { evidenceErrors } from './errors.js'
export {
  EVIDENCE_NOTE,
  evidenceNoteText,
  judgeNote,
  PROBLEM_OF_NOTE,
  type StatementState,
  trustingOwnKey,
} from './evidence-note.js'
export { hashesOf } from './hashes-of.js'
export { joinedVerdicts } from './joined-verdicts.js'
export { type LogFinding, LogJudgement, type LogTrustOptions, type LogVerdict, type ProvedLog } from './judge-log.js'
export {
  certificatesOf,
  type JudgedRecord,
  judgeRecord,
  type RecordVerdict,
  recordProblems,
  type SeenSignature,
} from './judge-record.js'
export {
  CERTIFICATES_FILE,
  NOTE_FILE,
  proofFile,
  recordFiles,
  SIGNATURES_FILE,
  STATEMENT_FILE,
  signatureFile,
} from './known-files.js'
export { logProblems } from './log-problems.js'
export { BUNDLE_TYPE, looksLikeEvidence } from './looks-like-evidence.js'
export {
  CONTAINER_TYPE,
  type OpenDocument,
  type OpenEvidence,
  type OpenSignature,
  openEvidence,
  openEvidencePausing,
} from './open-evidence.js'
export type { OpenLog, OpenStamped } from './open-log.js'
export type { OpenRecord } from './open-record.js'
export { distinctProblems, type EvidenceProblem, outcomeOfProblem, type ProblemCode } from './problem.js'
export type { ProofOfExistence } from './proofs-of-existence.js'
export { type ProvedRecord, type RecordFinding, recordFinding } from './record-finding.js'
export { isSignatureInGap, leaveOutRevisions } from './signature-in-gap.js'
export { coverageText, type StatedCoverage } from './stated-coverage.js'
export * from './statement.js'
export { BLOCK, blockHeader } from './stored-blocks.js'
export { type DocumentBeside, type EvidenceOptions, type EvidenceVerdict, verifyEvidence } from './verify-evidence.js'
export { containerSize, directoryOf, localRecord, recordBehind, type ZipEntry } from './zip-form.js'
