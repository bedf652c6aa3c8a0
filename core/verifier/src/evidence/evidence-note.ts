import { createHash } from 'node:crypto'
import { RegistryError } from '../error.js'
import { verifySignedNote } from '../notes/signed-note.js'
import type { ProblemCode } from './problem.js'
import type { EvidenceStatement } from './statement.js'

/** First line of the text that a registry signs about `evidence.json`. */
export const EVIDENCE_NOTE = 'signed-registry/evidence/v1'

/** The text that a registry signs about an `evidence.json`. */
export const evidenceNoteText = (origin: string, statement: Uint8Array): string =>
  [EVIDENCE_NOTE, `origin ${origin}`, `sha256 ${createHash('sha256').update(statement).digest('hex')}`, ''].join('\n')

/** What every signature of a note begins with (C2SP signed-note). */
const SIGNATURE_LINE = '\n\u2014 '

/** Who signed `evidence.json`. */
export type StatementState =
  /** The registry whose key was given. */
  | 'trusted'
  /** The key that it names itself, and nobody gave one: what the registry says is its word. */
  | 'notTrusted'
  /** Another registry than the one whose key was given. */
  | 'otherKey'
  /** Its signature is not over it. */
  | 'wrong'
  | 'missing'

/** What the state of the registry's signature is a problem of, unless it is none. */
export const PROBLEM_OF_NOTE: Readonly<Record<StatementState, ProblemCode | undefined>> = {
  trusted: undefined,
  notTrusted: undefined,
  otherKey: 'otherKey',
  wrong: 'noteWrong',
  missing: 'noteMissing',
}

/** What `judgeNote` says without a key is to a registry with this one: it trusts its own word, and others' are no problem. */
export const trustingOwnKey = (
  state: StatementState,
  { registry }: Pick<EvidenceStatement, 'registry'>,
  ownKey: string | undefined,
): StatementState => (state === 'notTrusted' && registry.statementKey === ownKey ? 'trusted' : state)

/** Judges `evidence.json.sig`, a signed note (C2SP), by the key that `evidence.json` names and the one that is trusted. */
export function judgeNote(
  note: Uint8Array,
  { registry: { origin, statementKey } }: Pick<EvidenceStatement, 'registry'>,
  { statement, key }: { readonly statement: Uint8Array; readonly key?: string | undefined },
): StatementState {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(note)
  try {
    // One form: signatures of others, which signed notes may have too, nobody would look at.
    if (text.split(SIGNATURE_LINE).length > 2) return 'wrong'
    if (verifySignedNote(text, statementKey) !== evidenceNoteText(origin, statement)) return 'wrong'
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    return error.details?.reason === 'signatureMissing' ? 'missing' : 'wrong'
  }
  return key === undefined ? 'notTrusted' : key.trim() === statementKey ? 'trusted' : 'otherKey'
}
