import { expectTag, INTEGER } from './fields.js'
import { contents, type DerElement, DerError, octetAt, overLimit } from './reader.js'

const MAX_INTEGER_OCTETS = 2_049

/** Content octets of an INTEGER, minimal two's complement (X.690 8.3), at most 2,049 of them. */
export function integerBytes(element: DerElement, tag: number = INTEGER): Uint8Array {
  const octets = contents(expectTag(element, tag))
  const first = octets[0]
  if (first === undefined) throw new DerError('integer is empty')
  if (octets.length > MAX_INTEGER_OCTETS) throw overLimit('integer is too long')
  const second = octets[1]
  if (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)))
    throw new DerError('integer is not minimal')
  return octets
}

/** An INTEGER from 0 to 2^48 - 1; anything else is refused. */
export function readSmallInteger(element: DerElement, tag: number = INTEGER): number {
  const octets = integerBytes(element, tag)
  if (octetAt(octets, 0) >= 0x80) throw new DerError('integer is negative')
  if (octets.length > 6) throw new DerError('integer is too large')
  return octets.reduce((value, octet) => value * 256 + octet, 0)
}

/** An INTEGER of any sign and size within the limit. */
export function readBigInteger(element: DerElement): bigint {
  const octets = integerBytes(element)
  const magnitude = BigInt(`0x${Buffer.from(octets).toString('hex')}`)
  return octetAt(octets, 0) >= 0x80 ? magnitude - (1n << BigInt(8 * octets.length)) : magnitude
}

/** Lower-case hexadecimal of an INTEGER without its sign octet; a negative one is its magnitude behind `-`. */
export function integerHex(octets: Uint8Array): string {
  if (octetAt(octets, 0) >= 0x80) {
    const hex = ((1n << BigInt(8 * octets.length)) - BigInt(`0x${Buffer.from(octets).toString('hex')}`)).toString(16)
    return `-${hex.length % 2 === 0 ? hex : `0${hex}`}`
  }
  const bytes = octets.length > 1 && octets[0] === 0 ? octets.subarray(1) : octets
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}
