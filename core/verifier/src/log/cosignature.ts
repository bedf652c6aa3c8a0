import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { noteErrors } from '../notes/errors.js'
import { readNote, type SignedNote, signatureLine, signaturesBy } from '../notes/signed-note.js'
import { type NoteKey, readVerifierKey, verifierKey } from '../notes/verifier-key.js'
import { readCheckpoint } from './checkpoint.js'
import { isCount } from './decimal.js'

const TIME_BYTES = 8
const SIGNATURE_BYTES = 64
/** Seconds since 1970 until which there are dates (ECMA-262, "Time Values and Time Range"). */
const LAST_TIME = 8_640_000_000_000

/** Who cosigns, by which Ed25519 key, and when. */
export interface Cosigner {
  readonly name: string
  readonly key: KeyObject
  /** Seconds since 1970, above zero. */
  readonly time: number
}

/** The Ed25519 key of a witness as others configure it (C2SP tlog-cosignature, "Format"). */
export const cosignerKey = (name: string, publicKey: KeyObject): string => verifierKey(name, publicKey, 'cosignature')

/** The signature line of a witness under the text of a checkpoint, with its newline; throws where it is no checkpoint. */
export function cosign(checkpointText: string, { name, key, time }: Cosigner): string {
  readCheckpoint(checkpointText)
  if (!isCount(time) || time === 0) throw new RangeError('A cosignature has its time in whole seconds')
  const noteKey = readVerifierKey(cosignerKey(name, createPublicKey(key)), 'cosignature')
  const timestamp = Buffer.alloc(TIME_BYTES)
  timestamp.writeBigUInt64BE(BigInt(time))
  return signatureLine(noteKey, Buffer.concat([timestamp, sign(null, signedBytes(checkpointText, time), key)]))
}

/**
 * When the witness of this key cosigned the checkpoint, in seconds since 1970; of several times the latest, undefined
 * where it did not, or at a time that is no date. Throws `noteNotVerified`: `malformed`, `otherText`, `signature` where a cosignature by it is wrong.
 */
export function verifyCosignature(note: string, cosigner: string): { readonly time: number } | undefined {
  return cosignedAt(readNote(note), readVerifierKey(cosigner, 'cosignature'))
}

/** `verifyCosignature` for a note and a key that are read already. */
export function cosignedAt({ text, signatures }: SignedNote, key: NoteKey): { readonly time: number } | undefined {
  readCheckpoint(text)
  const times = signaturesBy(key, signatures).flatMap(({ value }) => {
    const time = value.length === TIME_BYTES + SIGNATURE_BYTES ? value.readBigUInt64BE() : 0n
    const isRight = time > 0 && verify(null, signedBytes(text, time), key.publicKey, value.subarray(TIME_BYTES))
    if (!isRight) throw noteErrors.error('noteNotVerified', { reason: 'signature', key: key.name })
    return time > LAST_TIME ? [] : [Number(time)]
  })
  return times.length === 0 ? undefined : { time: Math.max(...times) }
}

/**
 * The lines of an answer of a witness that go under a note, since they are by this key; empty where there are none.
 * Throws as `verifyCosignature` does.
 */
export function cosignatureLines(note: string, answer: string, cosigner: string): string {
  const key = readVerifierKey(cosigner, 'cosignature')
  const { text } = readNote(note)
  if (answer === '') return ''
  const answered = readNote(`${text}\n${answer}`)
  if (answered.text !== text) throw noteErrors.error('noteNotVerified', { reason: 'malformed' })
  cosignedAt(answered, key)
  return signaturesBy(key, answered.signatures)
    .map(({ value }) => signatureLine(key, value))
    .join('')
}

/** What an Ed25519 cosignature is over (C2SP tlog-cosignature, "Ed25519 signed message"). */
const signedBytes = (text: string, time: number | bigint): Buffer =>
  Buffer.from(`cosignature/v1\ntime ${time}\n${text}`)
