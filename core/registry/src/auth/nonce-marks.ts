import { digest, digestAlgorithms } from '../signatures/index.js'
import { NONCE_MARK } from './nonce.js'
import { lookAtXml, type Opaque } from './xml-prolog.js'

/** The letters of base64 and hexadecimal, in either alphabet; whatever else stands between them is left out. */
const KEPT = new Uint8Array(256)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')) KEPT[byte] = 1

const COMMA = 0x2c

/** The bytes of a text that base64 or hexadecimal may be made of; and commas, if they are wanted. */
export function lettersOf(chunk: Uint8Array, commas = false): Buffer {
  const out = Buffer.allocUnsafe(chunk.length)
  let length = 0
  for (let at = 0; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0
    out[length] = byte
    length += byte === COMMA && commas ? 1 : (KEPT[byte] ?? 0)
  }
  return out.subarray(0, length)
}

/** The mark as far as it is made of these letters, and what follows it. */
const MARK = NONCE_MARK.replace(':', '')
const RANDOM = 40
/** Without the first letter, whose bits base64 may share with what stands before. */
const WRITTEN = new RegExp(`${MARK.slice(1)}:?([0-9a-f]{${RANDOM}})`)
const MARK_IN_HEX = Buffer.from(MARK).toString('hex')
/** A part of that without letters, which is the same in capitals, and where it stands. */
const DIGITS = '67696'
const BEFORE_DIGITS = MARK_IN_HEX.indexOf(DIGITS)
/** Marks that are looked at; more are found where somebody wants the time that they take. */
const MAX_DIGESTS = 20_000
/** Longer than a mark and its random part are in any of these forms. */
export const OVERLAP = 256

/** How the mark looks in base64 after so many bytes: the characters that only depend on it. */
const IN_BASE64 = [0, 1, 2].map((before) => {
  const text = Buffer.concat([Buffer.alloc(before), Buffer.from(MARK)]).toString('base64')
  const whole = Math.floor(((before + MARK.length) * 8) / 6)
  return { letters: text.slice(Math.ceil((before * 8) / 6), whole), skipped: Math.ceil((before * 8) / 6) }
})

/** Finds the lines by which nonces are known in the letters of a text: written out, in hexadecimal, or in base64 wherever it begins. */
export class NonceMarks {
  private rest: Uint8Array = Buffer.alloc(0)
  private looked = 0

  constructor(
    private readonly found: (line: string) => void,
    private readonly tooMany: () => void,
  ) {}

  /** Has seen the same letters as another, up to now. */
  follow({ rest }: NonceMarks): void {
    this.rest = rest
  }

  /** Answers how many letters there were. */
  push(chunk: Uint8Array): number {
    const { rest } = this
    const letters = Buffer.concat([rest, lettersOf(chunk)])
    this.rest = letters.subarray(Math.max(0, letters.length - OVERLAP))
    this.each(letters, MARK, (at) => letters.toString('latin1', at, at + OVERLAP))
    for (const { letters: mark, skipped } of IN_BASE64) {
      this.each(letters, mark, (at) => {
        const text = `${'A'.repeat(skipped)}${letters.toString('latin1', at, at + OVERLAP)}`
        return Buffer.from(text, 'base64').toString('latin1')
      })
    }
    this.each(letters, DIGITS, (at) => {
      const from = Math.max(0, at - BEFORE_DIGITS)
      return Buffer.from(letters.toString('latin1', from, from + OVERLAP), 'hex').toString('latin1')
    })
    return letters.length - rest.length
  }

  private each(letters: Buffer, mark: string, textAt: (at: number) => string): void {
    for (let at = letters.indexOf(mark); at >= 0; at = letters.indexOf(mark, at + 1)) {
      if (mark === DIGITS && !isMarkInHex(letters, at)) continue
      this.looked += 1
      if (this.looked > MAX_DIGESTS) {
        this.tooMany()
        return
      }
      const random = WRITTEN.exec(textAt(at))?.[1]
      if (random !== undefined) this.found(`${NONCE_MARK}${random}`)
    }
  }
}

const isMarkInHex = (letters: Buffer, digits: number): boolean => {
  const from = digits - BEFORE_DIGITS
  return from >= 0 && letters.toString('latin1', from, from + MARK_IN_HEX.length).toLowerCase() === MARK_IN_HEX
}

/** Told what is found in data. */
export interface Finds {
  line(line: string): void
  hash(bytes: Buffer): void
  signedInfo(): void
  readonly opaque: (why: Opaque) => void
  tooMany(): void
}

const SIZES = new Set(
  digestAlgorithms.filter(({ trusted }) => trusted).map(({ oid }) => digest(oid, Buffer.alloc(0)).length),
)
/** Letters of a value that something with a hash in it may decode from. */
const SHORTEST = 40
/** Letters of the shortest hash in base64. */
export const SHORTEST_HASH = Math.ceil((Math.min(...SIZES) * 4) / 3)
/** Hexadecimal. */
export const HEX = /^[0-9a-f]*$/i

/** What stands in base64 for `+` and `/` in addresses; other decoders skip it. */
export const OF_URLS = /[-_]/g

/** A short value: too short for anything around a nonce, it may decode to a hash, or to XML that says where it stands. */
export function decodeShort(letters: Buffer, finds: Finds): void {
  const others = withoutLettersOfUrls(letters)
  if (others !== letters) decodeShort(others, finds)
  decodeHash(letters, finds)
  if (letters.length < SHORTEST) return
  const bytes = Buffer.from(letters.toString('latin1'), 'base64')
  decodeHash(lettersOf(bytes), finds)
  hashesIn(bytes, finds)
  lookAtXml(bytes, finds.opaque)
}

/** The letters that base64 has where it is not for addresses. */
export const withoutLettersOfUrls = (letters: Buffer): Buffer =>
  letters.includes('-') || letters.includes('_')
    ? Buffer.from(letters.toString('latin1').replace(OF_URLS, ''), 'latin1')
    : letters

/** Letters that are a hash in base64 or hexadecimal. */
export function decodeHash(letters: Buffer, finds: Finds): void {
  const text = letters.toString('latin1')
  if (HEX.test(text) && SIZES.has(text.length / 2)) finds.hash(Buffer.from(text, 'hex'))
  if (!SIZES.has(Math.floor((text.length * 3) / 4))) return
  const bytes = Buffer.from(text, 'base64')
  if (SIZES.has(bytes.length)) finds.hash(bytes)
}

/** Hashes that bytes are, or hold as octet strings, as DigestInfo and signed attributes do. */
export function hashesIn(bytes: Buffer, finds: Finds): void {
  if (SIZES.has(bytes.length)) finds.hash(bytes)
  for (const size of SIZES) {
    const head = Buffer.from([0x04, size])
    for (let at = bytes.indexOf(head); at >= 0; at = bytes.indexOf(head, at + 1))
      if (at + 2 + size <= bytes.length) finds.hash(bytes.subarray(at + 2, at + 2 + size))
  }
}
