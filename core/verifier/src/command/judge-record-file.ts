import { readFileSync } from 'node:fs'
import { type RecordFinding, recordFinding } from '../evidence/record-finding.js'
import { type RecordedProof, recordedProof, reportWords, VerifierError, type VerifyOptions } from '../index.js'
import { readDataObject } from '../records/data-object.js'
import { COLUMNS, cutMiddle, plain, wrap } from './columns.js'
import { UsageError } from './console.js'
import { digestsOf, type GivenFile } from './given-file.js'
import { proofLines } from './record-lines.js'
import { labelled } from './signer-lines.js'
import { readOf } from './unreadable.js'

/** An evidence record, and the file that it is about. */
export interface GivenRecord {
  readonly record: GivenFile
  readonly file: GivenFile
}

/** The verdict on a record as programs get it. */
interface RecordFileReport extends Partial<RecordedProof> {
  readonly file: string
  readonly record: string
  readonly state: RecordFinding['state']
  readonly says: string
  readonly reason?: string
  /** The signature that the file says it is of, where it is one of a registry's. */
  readonly about?: { readonly documentId: string; readonly signId: number }
}

type RecordOptions = Pick<VerifyOptions, 'trust' | 'algorithms' | 'tsaExpiry' | 'revocation'>

const words = reportWords.en
const TEXT_COLUMNS = 70
const NAME_COLUMNS = 60
/** What is longer is no record, and no data object. */
const MAX_RECORD = 8 * 1024 * 1024
const MAX_OBJECT = 64 * 1024 * 1024

/** The record among files, if there is one; throws `UsageError` where it is not clear which file it is about. */
export function recordAmong(files: readonly GivenFile[]): GivenRecord | undefined {
  const [record, ...more] = files.filter(({ looks }) => looks === 'record')
  if (record === undefined) return undefined
  const [file, ...others] = files.filter((one) => one !== record)
  if (file === undefined || others.length > 0 || more.length > 0)
    throw new UsageError(`Name the evidence record ${record.name} with the one file that it is about, and nothing else`)
  return { record, file }
}

/** Judges a file by the evidence record about it; the file is never in memory as a whole. */
export function judgeRecordFile({ record, file }: GivenRecord, options: RecordOptions) {
  const octets = record.size > MAX_RECORD ? new Uint8Array() : readOf(record.name, () => readFileSync(record.name))
  const hashOf = (oid: string) => digestsOf(file.name, [oid]).get(oid)
  const finding = recordFinding(octets, hashOf, { ...options, now: Date.now() })
  const report = reportOn({ record, file }, finding)
  return {
    isProved: finding.state === 'proved',
    json: () => `${JSON.stringify(report, undefined, 2)}\n`,
    text: () => textOf(report, finding.state === 'proved' ? recordedProof(finding, words) : undefined),
  }
}

function reportOn({ record, file }: GivenRecord, finding: RecordFinding): RecordFileReport {
  const says = words.evidence.record.file[finding.state]
  const named = { file: file.name, record: record.name, state: finding.state, says }
  if (finding.state !== 'proved') return { ...named, reason: finding.reason }
  return { ...named, ...aboutOf(file), ...recordedProof(finding, words) }
}

/** Which signature a file of a registry has all of the evidence of. */
function aboutOf({ name, size }: GivenFile): Pick<RecordFileReport, 'about'> {
  if (size > MAX_OBJECT) return {}
  try {
    const { documentId, signId } = readDataObject(readOf(name, () => readFileSync(name)))
    return { about: { documentId, signId } }
  } catch (error) {
    if (error instanceof VerifierError) return {}
    throw error
  }
}

function textOf(report: RecordFileReport, proof: RecordedProof | undefined): string {
  const { says, file, record, reason, about, state } = report
  const name = (text: string) => cutMiddle(plain(text), NAME_COLUMNS)
  const lines = [
    ...wrap(says, COLUMNS),
    ...labelled('file', name(file)),
    ...labelled('record', name(record)),
    ...(about === undefined
      ? []
      : labelled('about', name(`signature ${about.signId} on document ${about.documentId}`))),
    ...(proof === undefined ? [] : proofLines(proof)),
    ...(reason === undefined ? [] : labelled('reason', ...wrap(plain(reason), TEXT_COLUMNS))),
    ...(state === 'notProved'
      ? labelled('to do', ...wrap(words.evidence.problem.recordNotProved.next, TEXT_COLUMNS))
      : []),
  ]
  return `${lines.join('\n')}\n`
}
