import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { RecentMap } from '../recent.js'
import { noteErrors } from './errors.js'
import { type NoteKey, readVerifierKey, verifierKey } from './verifier-key.js'

const MAX_CHARACTERS = 1024 * 1024
const MAX_SIGNATURES = 64
const LINE = /^\u2014 ([^\p{White_Space}+]+) ([A-Za-z0-9+/]+={0,2})$/u
const ID_BYTES = 4
/** Characters of a note with its key that is remembered: checkpoints have hundreds. */
const MAX_REMEMBERED = 4096
/** Texts of notes by key and note: a checkpoint is asked for by each page of what it covers, and costs 150 us. */
const verified = new RecentMap<string, string>(500)

/** A signature line of a note, not verified. */
export interface NoteSignature {
  readonly name: string
  /** The key ID, 4 octets. */
  readonly id: Buffer
  /** What follows it, in the form that the type of the key has. */
  readonly value: Buffer
}

/** A note, not verified. */
export interface SignedNote {
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** A text signed by an Ed25519 key under a name (C2SP signed-note); the text ends with a newline. */
export function signNote(text: string, name: string, privateKey: KeyObject): string {
  const key = readVerifierKey(verifierKey(name, createPublicKey(privateKey)))
  if (!isNoteText(text))
    throw new TypeError('The text of a note ends with a newline and has no other control characters')
  return `${text}\n${signatureLine(key, sign(null, Buffer.from(text), privateKey))}`
}

/** A line of a note for a signature, with its newline. */
export const signatureLine = ({ name, id }: Pick<NoteKey, 'name' | 'id'>, value: Uint8Array): string =>
  `\u2014 ${name} ${Buffer.concat([id, value]).toString('base64')}\n`

/**
 * The text of a note that is signed by the key of a verifier key; signatures of others are passed over. Throws
 * `noteNotVerified`: `malformed`, `signatureMissing` where the key signed nothing here, `signature` where one is wrong.
 */
export function verifySignedNote(note: string, key: string): string {
  const asked = `${key.length} ${key}${note}`
  const known = verified.get(asked)
  if (known !== undefined) return known
  const noteKey = readVerifierKey(key)
  const read = readNote(note)
  if (!isSignedBy(read, noteKey)) throw notVerified('signatureMissing', { key: noteKey.name })
  if (asked.length <= MAX_REMEMBERED) verified.set(asked, read.text)
  return read.text
}

/** Whether a key signed a note; throws `noteNotVerified` with reason `signature` where a signature by it is wrong. */
export function isSignedBy({ text, signatures }: SignedNote, key: NoteKey): boolean {
  const own = signaturesBy(key, signatures)
  const signed = Buffer.from(text)
  if (!own.every(({ value }) => verify(null, signed, key.publicKey, value)))
    throw notVerified('signature', { key: key.name })
  return own.length > 0
}

/** The signatures that name this key: all of them have to be right. */
export const signaturesBy = (
  { name, id }: Pick<NoteKey, 'name' | 'id'>,
  signatures: readonly NoteSignature[],
): readonly NoteSignature[] => signatures.filter((one) => one.name === name && one.id.equals(id))

/** Takes a note apart and verifies nothing; throws `noteNotVerified` with reason `malformed`. */
export function readNote(note: string): SignedNote {
  const end = note.lastIndexOf('\n\n') + 1
  const text = note.slice(0, end)
  const lines = note.slice(end + 1).split('\n')
  if (
    note.length > MAX_CHARACTERS ||
    end === 0 ||
    !isNoteText(note) ||
    lines.pop() !== '' ||
    lines.length === 0 ||
    lines.length > MAX_SIGNATURES
  )
    throw notVerified('malformed')
  const signatures = lines.map((line) => {
    const [, name, value] = LINE.exec(line) ?? []
    const bytes = Buffer.from(value ?? '', 'base64')
    if (name === undefined || bytes.length <= ID_BYTES || bytes.toString('base64') !== value)
      throw notVerified('malformed')
    return { name, id: bytes.subarray(0, ID_BYTES), value: bytes.subarray(ID_BYTES) }
  })
  return { text, signatures }
}

/** Whether this can be the text of a note: it ends with a newline and has neither other control characters nor lone surrogates. */
export const isNoteText = (text: string): boolean =>
  text.endsWith('\n') && /^[\n\u{20}-\u{d7ff}\u{e000}-\u{10ffff}]*$/u.test(text)

const notVerified = (reason: string, facts: object = {}) => noteErrors.error('noteNotVerified', { reason, ...facts })
