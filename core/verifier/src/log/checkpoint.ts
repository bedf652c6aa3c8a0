import { noteErrors } from '../notes/errors.js'
import { isNoteText, verifySignedNote } from '../notes/signed-note.js'
import { readVerifierKey } from '../notes/verifier-key.js'
import { readHash, writeBase64 } from './base64.js'
import { isCount, readDecimal } from './decimal.js'
import { HASH_BYTES, type TreeHead } from './merkle.js'

/** What a log says of its tree. */
export interface Checkpoint extends TreeHead {
  /** The name of the log. */
  readonly origin: string
}

/** A checkpoint with the signed note that it was read from, verbatim. */
export interface OpenCheckpoint extends Checkpoint {
  readonly note: string
}

/** The text that a log signs (C2SP tlog-checkpoint, "Note text"), without extension lines. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  if (!isCount(size) || root.length !== HASH_BYTES)
    throw new RangeError('A checkpoint has a size and 32 octets of hash')
  if (origin === '' || !isNoteText(`${origin}\n`) || origin.includes('\n')) throw new TypeError('An origin is one line')
  return `${origin}\n${size}\n${writeBase64(root)}\n`
}

/** Reads the text of a checkpoint, extension lines passed over; throws `noteNotVerified` with reason `otherText`. */
export function readCheckpoint(text: string): Checkpoint {
  const [origin = '', sizeLine = '', rootLine = '', ...rest] = text.split('\n')
  const size = readDecimal(sizeLine)
  const root = readHash(rootLine)
  const isEnded = rest.pop() === ''
  if (origin === '' || size === undefined || root === undefined || !isEnded || rest.includes(''))
    throw noteErrors.error('noteNotVerified', { reason: 'otherText' })
  return { origin, size, root }
}

/** Reads a checkpoint that the log of a verifier key signed; throws `noteNotVerified`, `otherOrigin` for another log's. */
export function openCheckpoint(note: string, verifierKey: string): OpenCheckpoint {
  const checkpoint = readCheckpoint(verifySignedNote(note, verifierKey))
  if (checkpoint.origin !== readVerifierKey(verifierKey).name)
    throw noteErrors.error('noteNotVerified', { reason: 'otherOrigin' })
  return { ...checkpoint, note }
}
