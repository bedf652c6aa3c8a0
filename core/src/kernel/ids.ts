import { randomBytes } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 16

/** Matches every identifier of the service except `signId` and `eventId`. */
export const ID_PATTERN = /^[A-Za-z0-9]{16}$/

/** A new identifier: 16 characters of `[A-Za-z0-9]` from a CSPRNG (95 bits). */
export function newId(): string {
  let id = ''
  while (id.length < LENGTH) {
    for (const byte of randomBytes(LENGTH * 2)) {
      // 248 is the largest multiple of 62 in a byte: above it the choice would be uneven.
      if (byte < 248 && id.length < LENGTH) id += ALPHABET[byte % ALPHABET.length]
    }
  }
  return id
}
