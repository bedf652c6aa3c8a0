import { createHash } from 'node:crypto'
import { RegistryError } from '../error.js'
import { isSignedBy, readNote } from '../notes/signed-note.js'
import { readVerifierKey } from '../notes/verifier-key.js'
import { readHash, writeBase64 } from './base64.js'
import { type Checkpoint, readCheckpoint } from './checkpoint.js'
import { readDecimal } from './decimal.js'
import { logErrors } from './errors.js'
import { EMPTY_ROOT, isConsistent, MAX_PROOF_HASHES, type TreeHead } from './merkle.js'

const OLD = 'old '

/** Characters of the longest request that is read: a note may have 16 signatures of 5 kB (C2SP signed-note), in base64. */
export const MAX_ADD_CHECKPOINT = 256 * 1024

/** What a log asks of a witness: to cosign a checkpoint that continues the last one (C2SP tlog-witness, "add-checkpoint"). */
export interface AddCheckpoint {
  /** Size of the last tree that the log knows the witness to have cosigned. */
  readonly oldSize: number
  /** Consistency proof from that tree. */
  readonly proof: readonly Uint8Array[]
  /** The signed note of the checkpoint. */
  readonly note: string
}

/** The same as a witness reads it. */
export interface ReadAddCheckpoint extends AddCheckpoint {
  /** What the note says, not verified. */
  readonly checkpoint: Checkpoint
}

/** A log as a witness knows it. */
export interface WitnessedLog {
  /** Verifier keys that may sign its checkpoints. */
  readonly keys: readonly string[]
  /** The last tree that the witness cosigned. */
  readonly latest?: TreeHead | undefined
}

/** What a witness says to a request; anything but `accepted` is refused, and nothing is recorded. */
export type AddCheckpointVerdict =
  | { readonly outcome: 'accepted' }
  /** 404: the witness knows no log of this origin. */
  | { readonly outcome: 'unknownLog' }
  /** 403: no signature by a key of the log, or a wrong one. */
  | { readonly outcome: 'notSigned' }
  /** 400: the old size is above the new one. */
  | { readonly outcome: 'sizesReversed' }
  /** 409: the last tree that the witness cosigned has this size. */
  | { readonly outcome: 'conflict'; readonly size: number }
  /** 422: the tree does not continue the one that the witness cosigned. */
  | { readonly outcome: 'inconsistent' }

/** The body of a request to a witness. */
export const writeAddCheckpoint = ({ oldSize, proof, note }: AddCheckpoint): string =>
  `${[`${OLD}${oldSize}`, ...proof.map(writeBase64)].join('\n')}\n\n${note}`

/** Reads the body of a request; throws `logNotRead` with reason `addCheckpoint`, or `noteNotVerified` for its note (400). */
export function readAddCheckpoint(body: string): ReadAddCheckpoint {
  const end = body.indexOf('\n\n')
  if (end < 0 || body.length > MAX_ADD_CHECKPOINT) throw malformed()
  const [first = '', ...lines] = body.slice(0, end).split('\n', MAX_PROOF_HASHES + 2)
  const oldSize = first.startsWith(OLD) ? readDecimal(first.slice(OLD.length)) : undefined
  if (oldSize === undefined || lines.length > MAX_PROOF_HASHES) throw malformed()
  const proof = lines.map((line) => readHash(line) ?? refuse())
  const note = body.slice(end + 2)
  return { oldSize, proof, note, checkpoint: readCheckpoint(readNote(note).text) }
}

/**
 * What a witness answers to a request about a log that it knows, in the order of the specification. The caller looks the
 * log up and records the checkpoint in one transaction.
 */
export function judgeAddCheckpoint(
  { oldSize, proof, note, checkpoint }: ReadAddCheckpoint,
  log: WitnessedLog | undefined,
): AddCheckpointVerdict {
  if (log === undefined) return { outcome: 'unknownLog' }
  if (!isSigned(note, log.keys)) return { outcome: 'notSigned' }
  if (oldSize > checkpoint.size) return { outcome: 'sizesReversed' }
  const from = log.latest ?? { size: 0, root: EMPTY_ROOT }
  if (oldSize !== from.size) return { outcome: 'conflict', size: from.size }
  return { outcome: isConsistent({ from, to: checkpoint, proof }) ? 'accepted' : 'inconsistent' }
}

/** The name of a log in the address that a witness serves its checkpoint at: SHA-256 of the origin, hexadecimal. */
export const originHash = (origin: string): string => createHash('sha256').update(origin).digest('hex')

/** Whether a key of the log signed the note, and none of them wrongly. */
function isSigned(note: string, keys: readonly string[]): boolean {
  const read = readNote(note)
  try {
    return keys.map((key) => isSignedBy(read, readVerifierKey(key))).includes(true)
  } catch (error) {
    if (error instanceof RegistryError && error.details?.reason === 'signature') return false
    throw error
  }
}

function refuse(): never {
  throw malformed()
}

const malformed = () => logErrors.error('logNotRead', { reason: 'addCheckpoint' })
