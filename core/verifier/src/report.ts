import type { AlgorithmPolicy } from './algorithms/policy.js'
import type { LogVerdict } from './evidence/judge-log.js'
import { logProblems } from './evidence/log-problems.js'
import { outcomeOfProblem } from './evidence/problem.js'
import type { EvidenceVerdict } from './evidence/verify-evidence.js'
import { type Indicated, worstOf } from './indication.js'
import { type EvidenceReport, evidenceReport } from './report/evidence/evidence-report.js'
import { type LogReport, logReport } from './report/evidence/log-report.js'
import { type FileReport, fileReport, type ReportedFile } from './report/file-report.js'
import { type RulesReport, rulesReport } from './report/rules-report.js'
import { type SignatureReport, signatureReport } from './report/signature-report.js'
import { utc } from './report/utc.js'
import { reportWords } from './report/words.js'
import type { ReportLanguage } from './report/words-en.js'
import type { Verdict } from './verdict.js'
import { type FilesVerdict, type Outcome, outcomeOf, worstOutcome } from './verify-files.js'

/** What a report needs beside the verdict. */
export interface ReportOptions {
  /** Every file that was given, signatures and documents. */
  readonly files?: readonly ReportedFile[]
  /** The policy that was judged by, where it is not the default. */
  readonly algorithms?: AlgorithmPolicy
  /** The language of its words; English where not given. */
  readonly language?: ReportLanguage
  /** What the transparency log proves of the signatures, where the verdict is not that on an evidence bundle, which has it. */
  readonly log?: readonly LogVerdict[]
}

/**
 * A verdict for others to keep: JSON, whose fields stay as they are within a `version`. Times are UTC, with seconds and
 * offset; hexadecimal is lower-case. The same verdict gives the same report.
 */
export interface VerificationReport extends Indicated {
  readonly version: 2
  readonly language: ReportLanguage
  /** The moment of judging. */
  readonly at: string
  readonly outcome: Outcome
  /** The outcome in words. */
  readonly says: string
  readonly rules: RulesReport
  readonly files: readonly FileReport[]
  readonly signatures: readonly SignatureReport[]
  /** Every document, with the places in `signatures` of those that are over it. */
  readonly documents: FilesVerdict['documents']
  /** Of an evidence bundle. */
  readonly evidence?: EvidenceReport
  /** What the transparency log of the registry proves; of an evidence bundle it is in `evidence`. */
  readonly log?: readonly LogReport[]
}

/** The report of a verdict on one file, on files that belong together, or on an evidence bundle. */
export function reportOf(
  verdict: Verdict | FilesVerdict | EvidenceVerdict,
  options: ReportOptions = {},
): VerificationReport {
  const { files = [], algorithms, language = 'en', log = [] } = options
  const words = reportWords[language]
  const { at, signatures } = verdict
  const documents = 'documents' in verdict ? verdict.documents : []
  const judged = 'outcome' in verdict ? verdict.outcome : outcomeOf(verdict)
  const refuted = logProblems(log).map(outcomeOfProblem)
  const outcome = worstOutcome([judged, ...refuted])
  const evidence = 'evidence' in verdict ? evidenceReport(verdict, words) : undefined
  const isProblem = refuted.length > 0 || (evidence !== undefined && evidence.problems.length > 0)
  const { indication, subIndication } = indicated(outcome, signatures, isProblem)
  return {
    version: 2,
    language,
    at: utc(at),
    ...{ outcome, indication, subIndication },
    says: (evidence === undefined ? words : words.evidence).outcome[outcome],
    rules: rulesReport(algorithms),
    files: files.map(fileReport),
    signatures: signatures.map((one) => signatureReport(one, words)),
    documents,
    ...(evidence && { evidence }),
    ...(log.length > 0 && { log: log.map((one) => logReport(one, words)) }),
  }
}

/** The report as bytes to keep: the same report gives the same text. */
export const reportJson = (report: VerificationReport): string => `${JSON.stringify(report, undefined, 2)}\n`

/** Documents that nobody signed leave the whole open, whatever the signatures are; so does what is wrong with a bundle or the log. */
function indicated(outcome: Outcome, signatures: Verdict['signatures'], isProblem: boolean): Indicated {
  const own = signatures.filter(({ covers }) => covers !== 'signature')
  const worst = worstOf(own.length === 0 ? signatures : own)
  if (outcome === 'wrong' && worst.indication !== 'TOTAL-FAILED')
    return { indication: 'TOTAL-FAILED', subIndication: 'FORMAT_FAILURE' }
  if (outcome === 'proved' || worst.indication !== 'TOTAL-PASSED') return worst
  return { indication: 'INDETERMINATE', subIndication: isProblem ? undefined : 'SIGNED_DATA_NOT_FOUND' }
}
