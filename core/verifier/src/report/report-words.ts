import type { UnusedEvidence } from '../signature.js'
import type { Missing, SignerVerdict } from '../verdict.js'
import type { Outcome } from '../verify-files.js'
import type { Finding } from './finding.js'

/** Languages that reports are written in. */
export type ReportLanguage = 'en' | 'ru' | 'kk'

/** Words of reports in one language. */
export interface ReportWords {
  /** What all files come to. */
  readonly outcome: Readonly<Record<Outcome, string>>
  /** What one signature comes to: what is so, and what to do about it. */
  readonly finding: Readonly<Record<Finding, { readonly says: string; readonly next?: string }>>
  readonly document: Readonly<Record<SignerVerdict['document'], string>>
  readonly missing: Readonly<Record<Missing, string>>
  readonly unused: Readonly<Record<UnusedEvidence['kind'], string>>
  /** What was looked at, by the names of checks. */
  readonly check: Readonly<Record<string, string>>
  /** What stands before the facts. */
  readonly label: Readonly<Record<ReportLabel, string>>
}

/** What reports say before a fact. */
export type ReportLabel =
  | 'title'
  | 'judgedAt'
  | 'utc'
  | 'rules'
  | 'verifier'
  | 'algorithms'
  | 'inputs'
  | 'file'
  | 'size'
  | 'bytes'
  | 'digest'
  | 'givenDigest'
  | 'signatures'
  | 'documents'
  | 'signedBy'
  | 'partSigned'
  | 'nobodySigned'
  | 'signature'
  | 'signer'
  | 'serialNumber'
  | 'person'
  | 'organization'
  | 'certificate'
  | 'when'
  | 'noTimeStamp'
  | 'timeStamp'
  | 'authority'
  | 'policy'
  | 'status'
  | 'responder'
  | 'producedAt'
  | 'thisUpdate'
  | 'crlOf'
  | 'path'
  | 'anchor'
  | 'document'
  | 'over'
  | 'coverage'
  | 'counterSignature'
  | 'wholeContent'
  | 'ranges'
  | 'references'
  | 'signedDigest'
  | 'algorithm'
  | 'missing'
  | 'unasked'
  | 'unused'
  | 'ignored'
  | 'checks'
  | 'passed'
  | 'failed'
  | 'refusal'
  | 'next'
  | 'none'
