import type { StatementState } from '../../evidence/evidence-note.js'
import { type EvidenceProblem, outcomeOfProblem } from '../../evidence/problem.js'
import type { DocumentStatement, EvidenceStatement } from '../../evidence/statement.js'
import { type BundledDocument, type EvidenceVerdict, strangersOf } from '../../evidence/verify-evidence.js'
import type { Outcome } from '../../verify-files.js'
import { type DigestReport, digestReport } from '../file-report.js'
import type { ReportWords } from '../words-en.js'
import { type ExistenceReport, existenceReport, type LogReport, logReport } from './log-report.js'
import { type RecordReport, recordReport } from './record-report.js'

/** An evidence bundle as reports have it: what the registry says stands apart from what signatures prove. */
export interface EvidenceReport {
  readonly problems: readonly ProblemReport[]
  readonly documents: readonly (BundledDocument & { readonly originalSays: string })[]
  /** Documents that were given beside the bundle and are none of its own, by their names. */
  readonly strangers: readonly string[]
  /** Who signed what the registry says. */
  readonly signedBy: StatementState
  readonly signedBySays: string
  /** What `evidence.json` says, which no signature of a document proves; nothing where it could not be read. */
  readonly registrySays: RegistrySays | undefined
  /** What the transparency log of the registry proves. */
  readonly log: readonly LogReport[]
  /** What evidence records prove of the signatures that have one. */
  readonly records: readonly RecordReport[]
  /** Since when signatures and hashes existed at least, by others than the registry. */
  readonly proofsOfExistence: readonly ExistenceReport[]
}

/** Something that is wrong with a bundle: what, and what to do. */
export interface ProblemReport extends EvidenceProblem {
  readonly outcome: Outcome
  readonly says: string
  readonly next: string
}

/** `evidence.json` without its list of files and its hints. */
export interface RegistrySays extends Pick<EvidenceStatement, 'registry' | 'rules' | 'asOf' | 'package'> {
  readonly documents: readonly SaidDocument[]
}

export interface SaidDocument
  extends Pick<DocumentStatement, 'documentId' | 'title' | 'description' | 'private' | 'storedAt' | 'size'> {
  readonly digests: readonly DigestReport[]
  readonly signatures: readonly { readonly signId: number; readonly file: string; readonly storedAt: string }[]
}

/** What reports say of an evidence bundle. */
export function evidenceReport(verdict: EvidenceVerdict, words: ReportWords): EvidenceReport {
  const { problems, documents, signedBy, said, log, records, proofsOfExistence } = verdict.evidence
  return {
    problems: problems.map((problem) => ({
      ...{ code: problem.code, file: problem.file, outcome: outcomeOfProblem(problem) },
      ...words.evidence.problem[problem.code],
    })),
    documents: documents.map((one) => ({ ...one, originalSays: words.evidence.original[one.original] })),
    strangers: strangersOf(verdict),
    signedBy,
    signedBySays: words.evidence.signedBy[signedBy],
    registrySays: said && registrySays(said),
    log: log.map((one) => logReport(one, words)),
    records: records.map((one) => recordReport(one, words)),
    proofsOfExistence: proofsOfExistence.map(existenceReport),
  }
}

const registrySays = ({ registry, rules, asOf, package: of, documents }: EvidenceStatement): RegistrySays => ({
  ...{ registry, rules, asOf, package: of },
  documents: documents.map(({ documentId, title, description, private: isPrivate, storedAt, size, ...one }) => ({
    ...{ documentId, title, description, private: isPrivate, storedAt, size },
    digests: Object.entries(one.digests).map(([oid, value]) => digestReport(oid, Buffer.from(value, 'hex'))),
    signatures: one.signatures.map(({ signId, signature, storedAt }) => ({ signId, file: signature, storedAt })),
  })),
})
