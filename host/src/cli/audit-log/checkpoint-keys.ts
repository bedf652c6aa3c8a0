import { RegistryError } from '@signed-registry/core'
import { readVerifierKey } from '@signed-registry/verifier'
import { readKey } from '@signed-registry/verifier/command'
import { type LogPolicy, type OpenCheckpoint, openCheckpoint } from '@signed-registry/verifier/log'
import { UsageError } from '../console.js'
import type { AuditState } from './audit-state.js'

/** Keys that checkpoints of a log may be signed by, and where the first is from. */
export interface CheckpointKeys {
  readonly keys: readonly string[]
  readonly source: 'given' | 'kept' | 'policy' | 'told'
  /** Whether the first key was ever taken from the registry itself. */
  readonly isTold: boolean
}

/** A key as `--key` has it: the key itself, or a file with it. */
export function givenKey(text: string): string {
  const key = /^\S+\+[0-9a-f]{8}\+\S+$/.test(text) ? text : readKey(text)
  if (!isKey(key)) throw new UsageError(`--key takes the verifier key of a log, or a file with it, not ${text}`)
  return key.trim()
}

/** The keys to verify checkpoints by: what the auditor says, else what was kept, else the policy, else what the registry says. */
export function keysFor(
  origin: string,
  from: {
    readonly given: string | undefined
    readonly state: AuditState | undefined
    readonly policy: LogPolicy | undefined
    readonly told: string | undefined
  },
): CheckpointKeys {
  const { given, state, policy, told } = from
  if (given !== undefined) {
    // The given key and those that were announced after it: not an earlier one, which may have come from the registry.
    const kept = state?.keys ?? []
    return { keys: kept.includes(given) ? kept.slice(kept.indexOf(given)) : [given], source: 'given', isTold: false }
  }
  if (state !== undefined) return { keys: state.keys, source: 'kept', isTold: state.isKeyTold }
  const named = keysIn(policy, origin)
  if (named.length > 0) return { keys: named, source: 'policy', isTold: false }
  if (told === undefined || !isKey(told))
    throw new UsageError('Give the key of the log: --key VKEY, or a --policy that names it')
  return { keys: [told], source: 'told', isTold: true }
}

/** The keys of a log that a policy names: their order means nothing (C2SP tlog-policy). */
export const keysIn = (policy: LogPolicy | undefined, origin: string): readonly string[] =>
  policy?.logs.filter(({ key }) => key.name === origin).map(({ verifierKey }) => verifierKey) ?? []

/** Those of the keys that still count: none that another one had replaced when the kept checkpoint was signed. */
export function presentKeys(keys: readonly string[], state: AuditState | undefined): readonly string[] {
  const present = state && openedBy(state.note, state.keys)?.key
  return present === undefined ? keys : keys.slice(Math.max(0, keys.indexOf(present)))
}

/** Opens a checkpoint by the newest key that signed it; `undefined` where none did, or its signature is wrong. */
export function openedBy(
  note: string,
  keys: readonly string[],
): { readonly checkpoint: OpenCheckpoint; readonly key: string } | undefined {
  for (const key of keys.toReversed()) {
    try {
      return { checkpoint: openCheckpoint(note, key), key }
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
    }
  }
  return undefined
}

/** Whether this is the verifier key of a log. */
export function isKey(text: string): boolean {
  try {
    return readVerifierKey(text).type === 'note'
  } catch (error) {
    if (error instanceof RegistryError) return false
    throw error
  }
}
