import { fieldsOf } from '../der/fields.js'
import { integerBytes } from '../der/integer.js'
import { type DerElement, DerError, octetAt, readDer } from '../der/reader.js'

/**
 * Converts an ECDSA or DSA signature from `SEQUENCE { r INTEGER, s INTEGER }` (RFC 3279, 2.2.3) to `r‖s` of `size` octets
 * each; `undefined` if it is not DER, or if a number is negative or too long.
 */
export function rawPair(der: Uint8Array, size: number): Uint8Array | undefined {
  try {
    const fields = fieldsOf(readDer(der))
    const pair = new Uint8Array(2 * size)
    placeUnsigned(fields.any(), pair, size)
    placeUnsigned(fields.any(), pair, 2 * size)
    fields.finish()
    return pair
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

/** Puts a number into the half of the pair that ends at `end`. */
function placeUnsigned(element: DerElement, pair: Uint8Array, end: number): void {
  const octets = unsignedInteger(element)
  if (octets.length > pair.length / 2) throw new DerError('integer is too long')
  pair.set(octets, end - octets.length)
}

/** The magnitude of a non-negative INTEGER, without its sign octet; throws DerError. */
export function unsignedInteger(element: DerElement): Uint8Array {
  const octets = integerBytes(element)
  const first = octetAt(octets, 0)
  if (first >= 0x80) throw new DerError('integer is negative')
  return first === 0 && octets.length > 1 ? octets.subarray(1) : octets
}
