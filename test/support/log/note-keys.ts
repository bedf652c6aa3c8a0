import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { cosign, cosignerKey } from '#verifier/log/cosignature.js'
import { readNote } from '#verifier/notes/signed-note.js'
import { verifierKey } from '#verifier/notes/verifier-key.js'

/** PKCS #8 of Ed25519 up to the key itself (RFC 8410 section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The Ed25519 key that is made of this number, always the same. */
export const privateKeyOf = (number: number): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.alloc(32, number)]), format: 'der', type: 'pkcs8' })

/** A log by a name and the number of its key. */
export const logKeyOf = (name: string, number: number): string =>
  verifierKey(name, createPublicKey(privateKeyOf(number)))

/** A witness by the number of its key. */
export function witnessOf(number: number) {
  const name = `witness.example/w${number}`
  const key = privateKeyOf(number)
  return {
    name,
    key: cosignerKey(name, createPublicKey(key)),
    /** Its line under a note. */
    line: (note: string, time = 1_700_000_000) => cosign(readNote(note).text, { name, key, time }),
  }
}
