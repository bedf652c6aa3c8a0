import { Buffer } from './buffer.js'
import { unzlib } from './inflate.js'

/** What the verifier uses of `node:zlib`. */

const POLYNOMIAL = 0xedb88320

const TABLE = Uint32Array.from({ length: 256 }, (_, octet) => {
  let value = octet
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ POLYNOMIAL
  return value
})

/** CRC-32 of octets, or of all of them where it goes on from those before. */
export function crc32(octets: Uint8Array, before = 0): number {
  let value = ~before
  for (const octet of octets) value = (value >>> 8) ^ (TABLE[(value ^ octet) & 0xff] ?? 0)
  return ~value >>> 0
}

/** `inflateSync`: all of a stream, or an error: a RangeError where it is longer than it may be. */
export const inflateSync = (octets: Uint8Array, { maxOutputLength }: { readonly maxOutputLength: number }): Buffer =>
  Buffer.from(unzlib(octets, maxOutputLength))
