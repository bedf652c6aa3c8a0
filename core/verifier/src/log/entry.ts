import { hash } from 'node:crypto'
import { HASH_BYTES } from './merkle.js'

/** Octets of the salt of an entry. */
export const SALT_BYTES = 32

const LEAF = Buffer.from('signed-registry/leaf/v1\n')

/** What is logged of a text that stays with its parties: 32 octets that say nothing without the salt. */
export function saltedEntry(salt: Uint8Array, text: string): Buffer {
  if (salt.length !== SALT_BYTES) throw new RangeError('A salt has 32 octets')
  return hash('sha256', Buffer.concat([salt, LEAF, Buffer.from(text)]), 'buffer')
}

/** Whether an entry is salted: public ones are never as short. */
export const isSalted = (entry: Uint8Array): boolean => entry.length === HASH_BYTES
