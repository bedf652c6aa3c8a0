import { digestAlgorithms } from '../../algorithms/digest.js'
import type { RecordVerdict } from '../../evidence/judge-record.js'
import { utc } from '../utc.js'
import type { ReportWords } from '../words-en.js'

/** What the evidence record about a signature proves, as reports have it. */
export interface RecordReport {
  readonly documentId: string
  readonly signId: number
  /** The file that the signature is in. */
  readonly signature: string
  readonly state: RecordVerdict['state']
  readonly says: string
  /** The file with the record, or the one that is wrong. */
  readonly file: string
  /** Why it is wrong, or proves nothing. */
  readonly reason?: string
  /** What is proved. */
  readonly proof?: RecordedProof
}

/** What an evidence record proves of what it is about. */
export interface RecordedProof {
  /** When that existed at the latest. */
  readonly existedAt: string
  /** Until when that is proved without a further renewal; absent where nothing on it ends. */
  readonly holdsUntil?: string
  readonly holdsUntilSays: string
  readonly chains: readonly ChainReport[]
}

/** A chain of a record: the digest of its trees, and when it was stamped. */
export interface ChainReport {
  readonly oid: string
  /** The name of the digest, where it is known. */
  readonly algorithm: string | undefined
  readonly stamps: readonly string[]
}

/** What reports say of one verdict on an evidence record. */
export function recordReport(verdict: RecordVerdict, words: ReportWords): RecordReport {
  const { documentId, signId, signature, state, file } = verdict
  const about = { documentId, signId, signature, state, says: words.evidence.record.state[state], file }
  if (verdict.state === 'proved') return { ...about, proof: recordedProof(verdict, words) }
  const field = verdict.state === 'wrong' ? verdict.field : undefined
  return { ...about, reason: field === undefined ? verdict.reason : `${verdict.reason}: ${field}` }
}

/** What is proved by a record that holds, for reports. */
export function recordedProof(
  {
    existedAt,
    holdsUntil,
    chains,
  }: Pick<Extract<RecordVerdict, { state: 'proved' }>, 'existedAt' | 'holdsUntil' | 'chains'>,
  { evidence: { record } }: ReportWords,
): RecordedProof {
  const until = endOf(holdsUntil)
  return {
    existedAt: utc(existedAt),
    ...(until !== undefined && { holdsUntil: until }),
    holdsUntilSays: until ?? record.noEnd,
    chains: chains.map(({ digestOid: oid, stamps }) => ({
      oid,
      algorithm: digestAlgorithms.find((known) => known.oid === oid)?.name,
      stamps: stamps.map(utc),
    })),
  }
}

/** The end of a proof, as reports have times; `undefined` where there is none. */
export const endOf = (until: number): string | undefined => (Number.isFinite(until) ? utc(until) : undefined)
