import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readNote } from '@signed-registry/verifier'
import { readCheckpoint } from '@signed-registry/verifier/log'
import type { AuditReport } from './audit-report.js'
import { type AuditState, type Followed, readState, stateIn } from './audit-state.js'

/** More than a state has. */
const MAX_STATE_BYTES = 4 * 1024 * 1024

/** A log that was audited, and the file that keeps its state. */
export interface AuditedLog {
  readonly file: string
  readonly state: AuditState
}

/** The log that is audited, as far as it was read. */
export interface LogNow {
  readonly origin: string
  /** The address that the auditor gave, of its registry where that is known. */
  readonly address: string
  /** Where the log itself is. */
  readonly ownAddress: string
  /** Whether the auditor gave the address of the log itself, where an ended log stays. */
  readonly isDirect: boolean
  readonly follows: readonly Followed[]
  /** Entries below this index were read in earlier audits. */
  readonly readBefore: number
}

/** An entry by which a log follows another one. */
interface Succession {
  readonly by: string
  readonly followed: Followed
}

/** The logs other than this one that are kept in the named file, and in others of its folder; the largest first. */
export function otherLogs(named: string, origin: string): AuditedLog[] {
  const folder = dirname(named)
  const beside = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
    .filter((file) => file !== named)
  // The named file is a state, or an error: what it keeps must not be passed over.
  const states = [{ file: named, state: readState(named) }, ...beside.map((file) => ({ file, state: stateAt(file) }))]
  return states
    .flatMap(({ file, state }) => (state === undefined || state.origin === origin ? [] : [{ file, state }]))
    .sort((one, other) => sizeOf(other) - sizeOf(one))
}

/** Tells whether a log follows those that were audited before it at its address, and holds what they had signed. */
export function tellEarlierLogs(now: LogNow, others: readonly AuditedLog[], named: string, report: AuditReport): void {
  const successions = successionsOf(now, others)
  for (const one of successions) tellSuccession(one, now, others, report)
  for (const other of others) {
    const { file, state } = other
    const isMoved = state.addresses.includes(now.ownAddress)
    const isServedHere = file === named || isMoved || state.addresses.includes(now.address)
    // An ended log stays at its own address, also after its successor was audited.
    const isLater = now.isDirect && !isMoved && leads(successionsOf(state, others), now.origin)
    if (!isServedHere || isLater || leads(successions, state.origin)) continue
    const text = `OTHER LOG: this address served ${state.origin} until now, whose signed checkpoint of ${sizeOf(other)} entries is in ${file}, and serves ${now.origin}, of which no entry that was read says that it follows that one: ask the operator where the log is, and show that checkpoint to others; if this is another registry, name another folder by --state`
    report.find({ code: 'otherLog', weight: 'wrong', text, facts: { origin: state.origin, file } })
  }
}

/** What a log says of those that it follows, and what those say, as far as they were audited. */
function successionsOf(
  { origin, follows }: Pick<AuditState, 'origin' | 'follows'>,
  others: readonly AuditedLog[],
): readonly Succession[] {
  const found = new Map([[origin, follows]])
  // A map goes on with what is added to it meanwhile.
  for (const [, some] of found)
    for (const one of some) {
      const kept = others.find(({ state }) => state.origin === one.origin)
      if (kept !== undefined && !found.has(one.origin)) found.set(one.origin, kept.state.follows)
    }
  return [...found].flatMap(([by, some]) => some.map((followed) => ({ by, followed })))
}

const leads = (successions: readonly Succession[], origin: string): boolean =>
  successions.some(({ followed }) => followed.origin === origin)

/** What a log held above the size at which another one follows it is in neither. */
function tellSuccession(
  { by, followed }: Succession,
  now: LogNow,
  others: readonly AuditedLog[],
  report: AuditReport,
): void {
  const { index, origin, size, root } = followed
  const isOwn = by === now.origin
  const lost = `what ${origin} signed from entry ${size} on is not in the registry's log any more`
  const kept = others.find(({ state }) => state.origin === origin)
  const find = (code: string, weight: 'wrong' | 'unread' | 'notice', text: string, facts?: object) =>
    report.find({ code, weight, text, ...(isOwn && { index }), ...(facts && { facts }) })
  if (kept === undefined) {
    const text = `${lost}: audit that log at its own address, and ask the operator why it ended`
    if (isOwn && index >= now.readBefore) find('succession', 'notice', text)
    return
  }
  const before = readCheckpoint(readNote(kept.state.note).text)
  if (before.size > size) {
    const text = `${lost}, and ${kept.file} has its signed checkpoint of ${before.size} entries: ${before.size - size} are lost; ask the operator for their backup`
    find('successionLoses', 'wrong', text, { lost: before.size - size })
  } else if (before.size < size) {
    const text = `${by} says that it follows ${origin} at ${size} entries, and ${kept.file} has its signed checkpoint of ${before.size}: nothing proves that what was kept is in the tree that it follows; audit that log up to there, at its own address and with --state ${kept.file}, then this one again; if it ends before, ask the operator`
    find('successionUnproved', 'unread', text)
  } else if (Buffer.from(before.root).toString('base64') !== root) {
    const text = `${by} follows another tree of ${size} entries than the one whose signed checkpoint is in ${kept.file}: that checkpoint and entry ${index} of ${by} prove it; show them to others`
    find('successionForks', 'wrong', text)
  } else if (isOwn && index >= now.readBefore)
    find('succession', 'notice', `${lost}; ${kept.file} has nothing above it`)
}

const sizeOf = ({ state }: AuditedLog): number => readCheckpoint(readNote(state.note).text).size

/** The state in a file; `undefined` where it has none that can be read. */
function stateAt(file: string): AuditState | undefined {
  try {
    const { size } = statSync(file)
    return size > MAX_STATE_BYTES ? undefined : stateIn(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
