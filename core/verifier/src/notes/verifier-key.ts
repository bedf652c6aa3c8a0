import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { noteErrors } from './errors.js'

/** Whose signature on a note is looked for. */
export interface NoteKey {
  readonly name: string
  readonly id: Buffer
  readonly publicKey: KeyObject
}

const ED25519 = 0x01
const KEY_BYTES = 32
/** SubjectPublicKeyInfo of Ed25519 up to the key itself (RFC 8410 section 4). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')
const FORM = /^([^\p{White_Space}+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/u

/** The key as others configure it: name, id and key (C2SP signed-note, "Verifier keys"). */
export function verifierKey(name: string, publicKey: KeyObject): string {
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(SPKI.length)
  return `${name}+${keyId(name, key).toString('hex')}+${Buffer.from([ED25519, ...key]).toString('base64')}`
}

/** Reads what `verifierKey` writes; throws `noteNotVerified`. */
export function readVerifierKey(text: string): NoteKey {
  const [, name = '', id, key = ''] = FORM.exec(text.trim()) ?? []
  const bytes = Buffer.from(key, 'base64')
  if (id === undefined || bytes.length !== 1 + KEY_BYTES || bytes[0] !== ED25519) throw malformed()
  const own = bytes.subarray(1)
  if (keyId(name, own).toString('hex') !== id) throw malformed()
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, own]), format: 'der', type: 'spki' })
  return { name, id: Buffer.from(id, 'hex'), publicKey }
}

/** The key ID of an Ed25519 key under a name. */
const keyId = (name: string, key: Uint8Array): Buffer =>
  createHash('sha256')
    .update(name)
    .update(Buffer.from([0x0a, ED25519]))
    .update(key)
    .digest()
    .subarray(0, 4)

const malformed = () => noteErrors.error('noteNotVerified', { reason: 'keyMalformed' })
