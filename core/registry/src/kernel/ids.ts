import { randomBytes } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 16
/** 131 bits. */
const SECRET_LENGTH = 22
const RANDOM_AT_ONCE = 2048

/** Matches every identifier of the service except `signId` and `eventId`. */
export const ID_PATTERN = /^[A-Za-z0-9]{16}$/

/** A new identifier: 16 characters of `[A-Za-z0-9]` from a CSPRNG (95 bits). */
export const newId = (): string => randomText(LENGTH)

/** A secret for a link, which alone opens what the link leads to: 22 characters of `[A-Za-z0-9]`. */
export const newLinkSecret = (): string => randomText(SECRET_LENGTH)

function randomText(length: number): string {
  let id = ''
  while (id.length < length) {
    const byte = randomByte()
    // 248 is the largest multiple of 62 in a byte: above it the choice would be uneven.
    if (byte < 248) id += ALPHABET[byte % ALPHABET.length]
  }
  return id
}

// A call to the generator costs more than its bytes: each call fetches enough for many identifiers.
let random = Buffer.alloc(0)
let used = 0

function randomByte(): number {
  if (used === random.length) {
    random = randomBytes(RANDOM_AT_ONCE)
    used = 0
  }
  const byte = random.readUInt8(used)
  random[used] = 0
  used += 1
  return byte
}
