import { digest, digestAlgorithms } from '../signatures/index.js'
import { lettersOf } from './nonce-marks.js'
import { lookAtXml, type Opaque } from './xml-prolog.js'

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
