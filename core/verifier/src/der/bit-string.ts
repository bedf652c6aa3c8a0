import { BIT_STRING, expectTag } from './fields.js'
import { contents, type DerElement, DerError, octetAt } from './reader.js'

/** Bytes of a BIT STRING and the number of unused bits in the last one (0-7, all zero). */
export interface BitString {
  readonly bytes: Uint8Array
  readonly unused: number
}

/** Reads a BIT STRING; padding bits must be zero (X.690 11.2.1). */
export function readBitString(element: DerElement, tag: number = BIT_STRING): BitString {
  const octets = contents(expectTag(element, tag))
  const unused = octets[0]
  if (unused === undefined || unused > 7) throw new DerError('bit string has a bad padding count')
  const bytes = octets.subarray(1)
  const last = bytes[bytes.length - 1]
  if (last === undefined ? unused !== 0 : (last & ((1 << unused) - 1)) !== 0)
    throw new DerError('bit string padding is not zero')
  return { bytes, unused }
}

/** Bytes of a BIT STRING without unused bits, such as keys and signatures. */
export function readBitStringBytes(element: DerElement): Uint8Array {
  const { bytes, unused } = readBitString(element)
  if (unused !== 0) throw new DerError('bit string is not whole octets')
  return bytes
}

/** Numbers of the set bits of a named-bit list, which has no trailing zero bits (X.690 11.2.2). */
export function readNamedBits(element: DerElement, tag: number = BIT_STRING): number[] {
  const { bytes, unused } = readBitString(element, tag)
  const last = bytes[bytes.length - 1]
  if (last !== undefined && ((last >> unused) & 1) === 0) throw new DerError('named bits end with a zero')
  const bits: number[] = []
  for (let bit = 0; bit < bytes.length * 8 - unused; bit += 1)
    if (((octetAt(bytes, bit >> 3) << (bit & 7)) & 0x80) !== 0) bits.push(bit)
  return bits
}
