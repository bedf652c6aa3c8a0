import type { CheckpointTime } from '../../evidence/checkpoint-time.js'
import type { LogVerdict } from '../../evidence/judge-log.js'
import type { ProofOfExistence } from '../../evidence/proofs-of-existence.js'
import { utc } from '../utc.js'
import type { ReportWords } from '../words-en.js'
import { endOf } from './record-report.js'

/** What the transparency log proves of a signature, or of the hashes of a document, as reports have it. */
export interface LogReport {
  readonly documentId: string
  /** Absent for the hashes of the document. */
  readonly signId?: number | undefined
  /** The file that the signature is in. */
  readonly signature?: string | undefined
  readonly state: LogVerdict['state']
  readonly says: string
  /** The file with the proof, or the one that is wrong. */
  readonly file?: string
  /** Why it is wrong. */
  readonly reason?: string
  /** What is proved of an entry. */
  readonly entry?: LoggedEntry
}

/** An entry of a log. */
export interface LoggedEntry {
  readonly origin: string
  /** Its number, from 0. */
  readonly index: number
  /** Entries in the tree of the checkpoint. */
  readonly size: number
  /** When it was in the log, by the time stamp over the checkpoint. */
  readonly loggedBefore?: string
  /** Why that is not known. */
  readonly timeSays?: string
  /** What it was logged after, by the time stamp and the OCSP answer whose hashes it has. */
  readonly loggedAfter?: string
  /** OIDs of hashes of the document that it does not have; absent where it has all. */
  readonly notLogged?: readonly string[]
  readonly witnesses: readonly { readonly name: string; readonly time: string }[]
  readonly trust: string
  readonly trustSays: string
  readonly problems: readonly { readonly code: string; readonly says: string }[]
  /** Why the time of registration does not fit the log; absent where it does. */
  readonly contradiction?: string
}

/** A proof of existence with its time as reports have it. */
export interface ExistenceReport extends Omit<ProofOfExistence, 'time' | 'holdsUntil'> {
  readonly time: string
  /** Until when an evidence record proves it without a further renewal; absent where nothing on it ends. */
  readonly holdsUntil?: string
}

/** What reports say of one verdict on the log. */
export function logReport(verdict: LogVerdict, { evidence: { log: words } }: ReportWords): LogReport {
  const { documentId, signId, signature, state } = verdict
  const about = { documentId, ...(signId !== undefined && { signId, signature }), state, says: words.state[state] }
  if (verdict.state === 'wrong') {
    const { file, reason, field } = verdict
    return { ...about, file, reason: field === undefined ? reason : `${reason}: ${field}` }
  }
  if (verdict.state !== 'logged') return about
  const { file, origin, index, size, loggedAfter, loggedBefore, notLogged, witnesses, trust, problems, isOutside } =
    verdict
  const entry: LoggedEntry = {
    ...{ origin, index, size },
    ...timeOf(loggedBefore, words),
    ...(loggedAfter !== undefined && { loggedAfter: utc(loggedAfter) }),
    ...(notLogged.length > 0 && { notLogged }),
    witnesses: witnesses.map(({ name, time }) => ({ name, time: utc(time * 1000) })),
    ...{ trust, trustSays: words.trust[trust] },
    problems: problems.map((code) => ({ code, says: words.problem[code] })),
    ...(isOutside && { contradiction: words.outside }),
  }
  return { ...about, file, entry }
}

/** A proof of existence, for reports. */
export function existenceReport({ time, holdsUntil, ...one }: ProofOfExistence): ExistenceReport {
  const until = holdsUntil === undefined ? undefined : endOf(holdsUntil)
  return { time: utc(time), ...one, ...(until !== undefined && { holdsUntil: until }) }
}

const timeOf = (
  found: CheckpointTime,
  { noTime, timeNotProved }: ReportWords['evidence']['log'],
): Pick<LoggedEntry, 'loggedBefore' | 'timeSays'> =>
  found.state === 'proved'
    ? { loggedBefore: utc(found.time) }
    : { timeSays: found.state === 'none' ? noTime : timeNotProved }
