import { existsSync, readFileSync } from 'node:fs'
import { replaceFile } from '@signed-registry/core'
import { readOf } from '@signed-registry/verifier/command'

/** What an auditor keeps of a log between two audits. */
export interface AuditState {
  readonly origin: string
  /** Verifier keys that its checkpoints may be signed by, the first that was known first. */
  readonly keys: readonly string[]
  /** Whether the first key was taken from the registry itself. */
  readonly isKeyTold: boolean
  /** The last checkpoint, a signed note. */
  readonly note: string
  /** Entries below this index were read and proved. */
  readonly readTo: number
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

function stateIn(text: string): AuditState | undefined {
  let given: Partial<Record<keyof AuditState, unknown>> | null
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  const { origin, keys, isKeyTold, note, readTo } = given ?? {}
  if (typeof origin !== 'string' || typeof note !== 'string' || typeof isKeyTold !== 'boolean') return undefined
  if (!Array.isArray(keys) || keys.length === 0) return undefined
  if (typeof readTo !== 'number' || !Number.isSafeInteger(readTo) || readTo < 0) return undefined
  const texts = keys.filter((key): key is string => typeof key === 'string')
  return texts.length === keys.length ? { origin, keys: texts, isKeyTold, note, readTo } : undefined
}
