import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readNote } from '@signed-registry/verifier'
import { readCheckpoint } from '@signed-registry/verifier/log'
import type { AuditReport } from './audit-report.js'
import { type AuditState, type Followed, stateIn } from './audit-state.js'

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
  /** The address that the auditor gave. */
  readonly address: string
  /** Whether that is the address of the log itself, where an ended log stays. */
  readonly isOwnAddress: boolean
  readonly follows: readonly Followed[]
  /** Entries below this index were read in earlier audits. */
  readonly readBefore: number
}

/** The logs other than this one that are kept in the folder of a file. */
export function otherLogs(file: string, origin: string): AuditedLog[] {
  const folder = dirname(file)
  const logs = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
    .flatMap((path) => {
      const state = stateAt(path)
      return state === undefined || state.origin === origin ? [] : [{ file: path, state }]
    })
  return logs.sort((one, other) => sizeOf(other) - sizeOf(one))
}

/** Tells whether a log follows those that were audited before it at its address, and holds what they had signed. */
export function tellEarlierLogs(
  now: LogNow,
  others: readonly AuditedLog[],
  ownFile: string | undefined,
  report: AuditReport,
): void {
  for (const followed of now.follows) tellFollowed(now, followed, others, report)
  for (const other of others) {
    const { file, state } = other
    const isServedHere = file === ownFile || state.addresses.includes(now.address)
    // The address of an ended log still serves it, also after its successor was audited.
    const isLater = now.isOwnAddress && file !== ownFile && leads(state.follows, now.origin, others)
    const isNamed = now.follows.some(({ origin }) => origin === state.origin)
    if (!isServedHere || isLater || isNamed || leads(now.follows, state.origin, others)) continue
    const text = `OTHER LOG: this address served ${state.origin} until now, whose signed checkpoint of ${sizeOf(other)} entries is in ${file}, and serves ${now.origin}, of which no entry that was read says that it follows that one: ask the operator where the log is, and show that checkpoint to others; if this is another registry, name another folder by --state`
    report.find({ code: 'otherLog', weight: 'wrong', text, facts: { origin: state.origin, file } })
  }
}

/** Whether these entries lead to a log, directly or by logs that were audited, and none of what was kept is lost on the way. */
export function leads(
  follows: readonly Followed[],
  origin: string,
  others: readonly AuditedLog[],
  passed: readonly string[] = [],
): boolean {
  const covered = follows.filter((one) =>
    others.every((other) => other.state.origin !== one.origin || lossOf(one, other) === undefined),
  )
  if (covered.some((one) => one.origin === origin)) return covered.length === follows.length
  return others.some(
    ({ state }) =>
      !passed.includes(state.origin) &&
      covered.some((one) => one.origin === state.origin) &&
      leads(state.follows, origin, others, [...passed, state.origin]),
  )
}

/** What a log held above the size at which another one follows it is in neither. */
function tellFollowed(now: LogNow, followed: Followed, others: readonly AuditedLog[], report: AuditReport): void {
  const { index, origin, size } = followed
  const lost = `what ${origin} signed from entry ${size} on is not in the registry's log any more`
  const kept = others.find(({ state }) => state.origin === origin)
  const loss = kept && lossOf(followed, kept)
  if (kept !== undefined && loss === 'fork') {
    const text = `this log follows another tree of ${size} entries than the one whose signed checkpoint is in ${kept.file}: that checkpoint and this entry prove it; show them to others`
    report.find({ code: 'successionForks', weight: 'wrong', index, text })
  } else if (kept !== undefined && loss !== undefined) {
    const before = sizeOf(kept)
    const text = `${lost}, and ${kept.file} has its signed checkpoint of ${before} entries: ${before - size} are lost; ask the operator for their backup`
    report.find({ code: 'successionLoses', weight: 'wrong', index, text, facts: { lost: before - size } })
  } else if (index >= now.readBefore) {
    const text =
      kept === undefined
        ? `${lost}: audit that log at its own address, and ask the operator why it ended`
        : `${lost}; ${kept.file} has nothing above it`
    report.find({ code: 'succession', weight: 'notice', index, text })
  }
}

/** What a log that follows another one does not have of the checkpoint that was kept of that. */
function lossOf({ size, root }: Followed, { state }: AuditedLog): 'lost' | 'fork' | undefined {
  const kept = readCheckpoint(readNote(state.note).text)
  if (kept.size > size) return 'lost'
  return kept.size === size && Buffer.from(kept.root).toString('base64') !== root ? 'fork' : undefined
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
