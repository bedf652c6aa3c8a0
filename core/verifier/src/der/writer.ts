import { octetAt } from './reader.js'

/** Encodes one element with a definite, minimal length. */
export function writeElement(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const header = [tag, ...lengthOctets(length)]
  const element = new Uint8Array(header.length + length)
  element.set(header)
  let offset = header.length
  for (const part of parts) {
    element.set(part, offset)
    offset += part.length
  }
  return element
}

/** Encodes a SET OF: its elements in ascending order of their encodings (X.690 11.6). */
export const writeSetOf = (tag: number, elements: readonly Uint8Array[]): Uint8Array =>
  writeElement(tag, ...[...elements].sort(Buffer.compare))

/** Encodes an OBJECT IDENTIFIER from its dotted form. */
export function writeOid(dotted: string): Uint8Array {
  const [root = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return writeElement(0x06, Uint8Array.from([root * 40 + second, ...rest].flatMap(arcOctets)))
}

function arcOctets(arc: number): number[] {
  const octets = [arc % 128]
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) octets.unshift((left % 128) | 0x80)
  return octets
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length]
  const octets: number[] = []
  for (let left = length; left > 0; left = Math.floor(left / 256)) octets.unshift(left % 256)
  return [0x80 | octets.length, ...octets]
}

/** Encodes a SEQUENCE. */
export const writeSequence = (...elements: readonly Uint8Array[]): Uint8Array => writeElement(0x30, ...elements)

/** Encodes an OCTET STRING. */
export const writeOctetString = (octets: Uint8Array): Uint8Array => writeElement(0x04, octets)

/** Encodes an INTEGER that is not negative from its big-endian magnitude. */
export function writeUnsigned(magnitude: Uint8Array): Uint8Array {
  const first = magnitude.findIndex((octet) => octet !== 0)
  const minimal = first < 0 ? Uint8Array.of(0) : magnitude.subarray(first)
  return octetAt(minimal, 0) < 0x80 ? writeElement(0x02, minimal) : writeElement(0x02, Uint8Array.of(0), minimal)
}

/** Encodes an AlgorithmIdentifier with NULL parameters, as digests have them. */
export const writeDigestAlgorithm = (oid: string): Uint8Array => writeSequence(writeOid(oid), writeElement(0x05))
