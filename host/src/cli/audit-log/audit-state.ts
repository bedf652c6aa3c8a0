import { existsSync, readFileSync } from 'node:fs'
import { RegistryError, replaceFile } from '@signed-registry/core'
import { readNote } from '@signed-registry/verifier'
import { readOf } from '@signed-registry/verifier/command'
import { readCheckpoint } from '@signed-registry/verifier/log'

/** Characters of a name of a log, or of a key, at most: what is kept must not be as large as a log likes. */
export const MAX_NAME = 1000

/** What an auditor keeps of a log between two audits. */
export interface AuditState {
  readonly origin: string
  /** Where it was audited: addresses of its registry where that is known, and its own. */
  readonly addresses: readonly string[]
  /** Verifier keys that its checkpoints may be signed by, the first that was known first. */
  readonly keys: readonly string[]
  /** Whether the first key was taken from the registry itself. */
  readonly isKeyTold: boolean
  /** The last checkpoint, a signed note. */
  readonly note: string
  /** Entries below this index were read and proved. */
  readonly readTo: number
  /** The logs that it says it follows. */
  readonly follows: readonly Followed[]
  /** What the first audit with the database was told of the time before the log; `undefined` before that audit. */
  readonly beforeLog?: BeforeLog | undefined
  /** Entries below this index were as the database has them, when it was last compared. */
  readonly comparedTo?: number | undefined
}

/** What a database says of the time before its log, of which no entry is proof. */
export interface BeforeLog {
  /** When the log began, milliseconds. */
  readonly startedAt: number
  /** Facts that are older. */
  readonly facts: number
}

/** An entry of a log that says which one it follows. */
export interface Followed {
  readonly index: number
  readonly origin: string
  /** Size and root, in Base64, of the last checkpoint of the earlier log. */
  readonly size: number
  readonly root: string
}

/** The file for a log unless another one is named: `audit-registry.example-log-6b1f.json`. */
export const stateFile = (origin: string): string =>
  `audit-${origin.replace(/[^A-Za-z0-9.-]/g, '-').slice(0, 200)}.json`

/** Reads what was kept; `undefined` where nothing was. Throws where the file is something else. */
export function readState(file: string): AuditState | undefined {
  if (!existsSync(file)) return undefined
  const state = stateIn(readOf(file, () => readFileSync(file, 'utf8')))
  if (state === undefined)
    throw new Error(`${file} holds no state of an audit: take it from a backup, or move it away to begin anew`)
  return state
}

/** Keeps a state durably: after a crash the file has the old one or the new. */
export async function keepState(file: string, state: AuditState): Promise<void> {
  await replaceFile(file, `${JSON.stringify(state, null, 2)}\n`).catch((cause: unknown) => {
    throw new Error(`${file} cannot be written: ${cause instanceof Error ? cause.message : cause}`, { cause })
  })
}

/** The state that a text has; `undefined` where it is something else. */
export function stateIn(text: string): AuditState | undefined {
  let given: Partial<Record<keyof AuditState, unknown>> | null
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  const { origin, addresses, keys, isKeyTold, note, readTo, follows, beforeLog, comparedTo } = given ?? {}
  if (typeof origin !== 'string' || typeof note !== 'string' || typeof isKeyTold !== 'boolean') return undefined
  if (!areTexts(addresses) || !areTexts(keys) || keys.length === 0) return undefined
  if (!isCount(readTo) || readTo > (sizeOf(note) ?? -1)) return undefined
  if (!Array.isArray(follows) || !follows.every(isFollowed)) return undefined
  if (beforeLog !== undefined && !isBeforeLog(beforeLog)) return undefined
  if (comparedTo !== undefined && !isCount(comparedTo)) return undefined
  return { origin, addresses, keys, isKeyTold, note, readTo, follows, beforeLog, comparedTo }
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function isFollowed(value: unknown): value is Followed {
  const { index, origin, size, root }: Partial<Record<keyof Followed, unknown>> = Object(value)
  return isCount(index) && isCount(size) && typeof origin === 'string' && typeof root === 'string'
}

function isBeforeLog(value: unknown): value is BeforeLog {
  const { startedAt, facts }: Partial<Record<keyof BeforeLog, unknown>> = Object(value)
  return isCount(startedAt) && isCount(facts)
}

/** Entries of the tree of a checkpoint; `undefined` for what is none. */
function sizeOf(note: string): number | undefined {
  try {
    return readCheckpoint(readNote(note).text).size
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}
