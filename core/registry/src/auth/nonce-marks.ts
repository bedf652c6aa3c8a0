import { digestAlgorithms } from '../signatures/index.js'
import { NONCE_MARK } from './nonce.js'
import { lookAtXml, type Opaque } from './xml-prolog.js'

/** The letters of base64 (both alphabets) and hexadecimal; all other bytes are skipped. */
const KEPT = new Uint8Array(256)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')) KEPT[byte] = 1

const COMMA = 0x2c

/** The letters of base64 and hexadecimal in a chunk, and commas on request. */
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

/** The mark without the colon, which is no such letter; and the length of the random part after it. */
const MARK = NONCE_MARK.replace(':', '')
const RANDOM = 40
/** Without the first letter, whose bits may share a character of base64 with the text before. */
const WRITTEN = new RegExp(`${MARK.slice(1)}:?([0-9a-f]{${RANDOM}})`)
const MARK_IN_HEX = Buffer.from(MARK).toString('hex')
/** A part of that without letters, equal in upper and lower case, and its position. */
const DIGITS = '67696'
const BEFORE_DIGITS = MARK_IN_HEX.indexOf(DIGITS)
/** Only an attack on processor time has more marks. */
const MAX_DIGESTS = 20_000
/** Longer than a mark with its random part in any of these forms. */
export const OVERLAP = 256

/** The mark in base64 after 0, 1 or 2 bytes: the characters that depend on nothing else. */
const IN_BASE64 = [0, 1, 2].map((before) => {
  const text = Buffer.concat([Buffer.alloc(before), Buffer.from(MARK)]).toString('base64')
  const end = Math.floor(((before + MARK.length) * 8) / 6)
  return { letters: text.slice(Math.ceil((before * 8) / 6), end), skipped: Math.ceil((before * 8) / 6) }
})

/** Finds the marked lines of nonces among the letters of a text: as they are, in hexadecimal, or in base64 at any offset. */
export class NonceMarks {
  private rest: Uint8Array = Buffer.alloc(0)
  private looked = 0

  constructor(
    private readonly found: (line: string) => void,
    private readonly tooMany: () => void,
  ) {}

  /** Takes over the position of another scanner that has read the same letters. */
  follow({ rest }: NonceMarks): void {
    this.rest = rest
  }

  /** Returns the number of letters in the chunk. */
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

/** Called with what is found in data. */
export interface Findings {
  line(line: string): void
  hash(bytes: Buffer): void
  signedInfo(): void
  readonly opaque: (why: Opaque) => void
  tooMany(): void
}

const SIZES = new Set(digestAlgorithms.filter(({ trusted }) => trusted).map(({ length }) => length))
/** Minimum letters of a value that may decode to something with a hash inside. */
const SHORTEST = 40
/** Letters of the shortest hash in base64. */
export const SHORTEST_HASH = Math.ceil((Math.min(...SIZES) * 4) / 3)
/** Hexadecimal. */
export const HEX = /^[0-9a-f]*$/i

/** Replacements for `+` and `/` in base64url; decoders of plain base64 skip them. */
export const OF_URLS = /[-_]/g

/** Decodes a value too short to wrap a nonce: to a hash, or to XML that refers to one. */
export function decodeShort(letters: Buffer, findings: Findings): void {
  const others = withoutLettersOfUrls(letters)
  if (others !== letters) decodeShort(others, findings)
  decodeHash(letters, findings)
  if (letters.length < SHORTEST) return
  const bytes = Buffer.from(letters.toString('latin1'), 'base64')
  decodeHash(lettersOf(bytes), findings)
  hashesIn(bytes, findings)
  lookAtXml(bytes, findings.opaque)
}

/** The letters without those of base64url. */
export const withoutLettersOfUrls = (letters: Buffer): Buffer =>
  letters.includes('-') || letters.includes('_')
    ? Buffer.from(letters.toString('latin1').replace(OF_URLS, ''), 'latin1')
    : letters

/** Reports letters that are a hash in base64 or hexadecimal. */
export function decodeHash(letters: Buffer, findings: Findings): void {
  const text = letters.toString('latin1')
  if (HEX.test(text) && SIZES.has(text.length / 2)) findings.hash(Buffer.from(text, 'hex'))
  if (!SIZES.has(Math.floor((text.length * 3) / 4))) return
  const bytes = Buffer.from(text, 'base64')
  if (SIZES.has(bytes.length)) findings.hash(bytes)
}

/** Reports bytes that are a hash, or hold one as an octet string, as DigestInfo and signed attributes do. */
export function hashesIn(bytes: Buffer, findings: Findings): void {
  if (SIZES.has(bytes.length)) findings.hash(bytes)
  for (const size of SIZES) {
    const head = Buffer.from([0x04, size])
    for (let at = bytes.indexOf(head); at >= 0; at = bytes.indexOf(head, at + 1))
      if (at + 2 + size <= bytes.length) findings.hash(bytes.subarray(at + 2, at + 2 + size))
  }
}
