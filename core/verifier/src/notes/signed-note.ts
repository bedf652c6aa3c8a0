import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { noteErrors } from './errors.js'
import { readVerifierKey, verifierKey } from './verifier-key.js'

const MAX_CHARACTERS = 1024 * 1024
const MAX_SIGNATURES = 64
const LINE = /^\u2014 ([^\p{White_Space}+]+) ([A-Za-z0-9+/]+={0,2})$/u
const ID_BYTES = 4

/** A text signed by an Ed25519 key under a name (C2SP signed-note); the text ends with a newline. */
export function signNote(text: string, name: string, privateKey: KeyObject): string {
  const key = readVerifierKey(verifierKey(name, createPublicKey(privateKey)))
  if (!isText(text)) throw new TypeError('The text of a note ends with a newline and has no other control characters')
  const signature = Buffer.concat([key.id, sign(null, Buffer.from(text), privateKey)])
  return `${text}\n\u2014 ${name} ${signature.toString('base64')}\n`
}

/**
 * The text of a note that is signed by the key of a verifier key; signatures of others are passed over. Throws
 * `noteNotVerified`: `malformed`, `signatureMissing` where the key signed nothing here, `signature` where one is wrong.
 */
export function verifySignedNote(note: string, key: string): string {
  const { name, id, publicKey } = readVerifierKey(key)
  const { text, signatures } = readNote(note)
  const own = signatures.filter((one) => one.name === name && one.bytes.subarray(0, ID_BYTES).equals(id))
  if (own.length === 0) throw notVerified('signatureMissing', { key: name })
  const signed = Buffer.from(text)
  if (!own.every(({ bytes }) => verify(null, signed, publicKey, bytes.subarray(ID_BYTES))))
    throw notVerified('signature', { key: name })
  return text
}

function readNote(note: string): { text: string; signatures: readonly { name: string; bytes: Buffer }[] } {
  const end = note.lastIndexOf('\n\n') + 1
  const text = note.slice(0, end)
  const lines = note.slice(end + 1).split('\n')
  if (note.length > MAX_CHARACTERS || end === 0 || !isText(note) || lines.pop() !== '' || lines.length > MAX_SIGNATURES)
    throw notVerified('malformed')
  const signatures = lines.map((line) => {
    const [, name, value] = LINE.exec(line) ?? []
    const bytes = Buffer.from(value ?? '', 'base64')
    if (name === undefined || bytes.length <= ID_BYTES || bytes.toString('base64') !== value)
      throw notVerified('malformed')
    return { name, bytes }
  })
  return { text, signatures }
}

/** Ends with a newline and has neither other control characters nor lone surrogates. */
const isText = (text: string): boolean => text.endsWith('\n') && /^[\n\u{20}-\u{d7ff}\u{e000}-\u{10ffff}]*$/u.test(text)

const notVerified = (reason: string, facts: object = {}) => noteErrors.error('noteNotVerified', { reason, ...facts })
