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
/** Octets of a key of any type with its type byte; one of ML-DSA-44 has 1,313. */
const MAX_MATERIAL_BYTES = 8192
/** SubjectPublicKeyInfo of Ed25519 up to the key itself (RFC 8410 section 4). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')
const FORM = /^([^\p{White_Space}+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u

/** The Ed25519 key as others configure it: name, id and key (C2SP signed-note, "Verifier keys"). */
export function verifierKey(name: string, publicKey: KeyObject, type: NoteKeyType = 'note'): string {
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(SPKI.length)
  const material = Buffer.from([NOTE_KEY_TYPES[type], ...key])
  return `${name}+${keyId(name, material).toString('hex')}+${material.toString('base64')}`
}

/** Reads what `verifierKey` writes; throws `noteNotVerified` with reason `keyMalformed`, also for a key of another type. */
export function readVerifierKey(text: string, type: NoteKeyType = 'note'): NoteKey {
  const { name, id, material } = partsOf(text.trim())
  if (material.length !== 1 + KEY_BYTES || material[0] !== NOTE_KEY_TYPES[type]) throw malformed()
  if (keyId(name, material).toString('hex') !== id) throw malformed()
  const octets = material.subarray(1)
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, octets]), format: 'der', type: 'spki' })
  return { name, type, id: Buffer.from(id, 'hex'), octets, publicKey }
}

/** A key whose type is not known here, so that nothing by it can be verified. */
export interface UnknownKey {
  readonly name: string
  /** The type with the key, as they are written. */
  readonly material: Buffer
}

/** Reads a verifier key of any other type than those known here; `undefined` for a known type. Throws `noteNotVerified` with reason `keyMalformed`. */
export function readUnknownKey(text: string): UnknownKey | undefined {
  const { name, material } = partsOf(text.trim())
  const isKnown = Object.values<number | undefined>(NOTE_KEY_TYPES).includes(material[0])
  return isKnown ? undefined : { name, material }
}

function partsOf(text: string): { readonly name: string; readonly id: string; readonly material: Buffer } {
  const [, name = '', id, key = ''] = FORM.exec(text) ?? []
  const material = Buffer.from(key, 'base64')
  const isWritten = material.length > 1 && material.length <= MAX_MATERIAL_BYTES && material.toString('base64') === key
  if (id === undefined || !isWritten) throw malformed()
  return { name, id, material }
}

/** The key ID under a name of a type byte with its key. */
const keyId = (name: string, material: Uint8Array): Buffer =>
  createHash('sha256').update(`${name}\n`).update(material).digest().subarray(0, 4)

const malformed = () => noteErrors.error('noteNotVerified', { reason: 'keyMalformed' })
