import { contents, type DerElement } from './reader.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const latin1 = (octets: Uint8Array): string =>
  Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('latin1')

const matching = (allowed: RegExp) => (octets: Uint8Array) => {
  const text = latin1(octets)
  return allowed.test(text) ? text : undefined
}

const ASCII = /^[\0-\x7f]*$/
const ascii = matching(ASCII)

function utf8String(octets: Uint8Array): string | undefined {
  const text = ascii(octets)
  if (text !== undefined) return text
  try {
    return utf8.decode(octets)
  } catch {
    return undefined
  }
}

function codePoints(octets: Uint8Array, width: 2 | 4): string | undefined {
  if (octets.length % width !== 0) return undefined
  const view = new DataView(octets.buffer, octets.byteOffset, octets.length)
  let text = ''
  for (let offset = 0; offset < octets.length; offset += width) {
    const point = width === 2 ? view.getUint16(offset) : view.getUint32(offset)
    if (point > 0x10ffff || (width === 4 && point >= 0xd800 && point < 0xe000)) return undefined
    text += String.fromCodePoint(point)
  }
  return /\p{Surrogate}/u.test(text) ? undefined : text
}

// TeletexString is read as Latin-1, and PrintableString as printable ASCII, since issuers write them so.
const readers = new Map<number, (octets: Uint8Array) => string | undefined>([
  [0x0c, utf8String],
  [0x12, matching(/^[0-9 ]*$/)],
  [0x13, matching(/^[\x20-\x7e]*$/)],
  [0x14, latin1],
  [0x16, ascii],
  [0x1a, matching(/^[\x20-\x7e]*$/)],
  [0x1c, (octets) => codePoints(octets, 4)],
  [0x1e, (octets) => codePoints(octets, 2)],
])

/**
 * Text of a UTF8String, NumericString, PrintableString, TeletexString, IA5String, VisibleString, UniversalString or BMPString;
 * undefined for other types and for octets that are not text of their type.
 */
export function readText(element: DerElement): string | undefined {
  return readers.get(element.tag)?.(contents(element))
}
