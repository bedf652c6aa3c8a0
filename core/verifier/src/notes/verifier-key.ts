import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { noteErrors } from './errors.js'

/** What a key signs: the text of a note, or a checkpoint that a witness saw, with the time (C2SP signed-note, "Signature types"). */
export const NOTE_KEY_TYPES = { note: 0x01, cosignature: 0x04 } as const
export type NoteKeyType = keyof typeof NOTE_KEY_TYPES

/** Whose signature on a note is looked for. */
export interface NoteKey {
  readonly name: string
  readonly type: NoteKeyType
  readonly id: Buffer
  /** The 32 octets of the key. */
  readonly octets: Buffer
  readonly publicKey: KeyObject
}

const KEY_BYTES = 32
/** SubjectPublicKeyInfo of Ed25519 up to the key itself (RFC 8410 section 4). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')
const FORM = /^([^\p{White_Space}+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/u

/** The Ed25519 key as others configure it: name, id and key (C2SP signed-note, "Verifier keys"). */
export function verifierKey(name: string, publicKey: KeyObject, type: NoteKeyType = 'note'): string {
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(SPKI.length)
  const material = Buffer.from([NOTE_KEY_TYPES[type], ...key])
  return `${name}+${keyId(name, material).toString('hex')}+${material.toString('base64')}`
}

/** Reads what `verifierKey` writes; throws `noteNotVerified` with reason `keyMalformed`, also for a key of another type. */
export function readVerifierKey(text: string, type: NoteKeyType = 'note'): NoteKey {
  const [, name = '', id, key = ''] = FORM.exec(text.trim()) ?? []
  const material = Buffer.from(key, 'base64')
  if (id === undefined || material.length !== 1 + KEY_BYTES || material[0] !== NOTE_KEY_TYPES[type]) throw malformed()
  if (keyId(name, material).toString('hex') !== id) throw malformed()
  const octets = material.subarray(1)
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, octets]), format: 'der', type: 'spki' })
  return { name, type, id: Buffer.from(id, 'hex'), octets, publicKey }
}

/** The key ID under a name of a type byte with its key. */
const keyId = (name: string, material: Uint8Array): Buffer =>
  createHash('sha256').update(`${name}\n`).update(material).digest().subarray(0, 4)

const malformed = () => noteErrors.error('noteNotVerified', { reason: 'keyMalformed' })
