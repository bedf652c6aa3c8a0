import { crc32 } from 'node:zlib'

/** The polynomial of CRC-32, its bits in reverse. */
const POLYNOMIAL = 0xedb88320
/** The polynomial 1, in reverse bits. */
const ONE = 0x80000000

/** Octets, and their CRC-32 once it was asked for: it is the dear part of writing, and containers in containers need it too. */
export class Piece {
  private known: number | undefined

  constructor(readonly bytes: Uint8Array) {}

  get crc(): number {
    this.known ??= crc32(this.bytes)
    return this.known
  }
}

/** The CRC-32 of what has the first CRC-32, with so many octets behind it that have the second. */
export const joinedCrc = (first: number, second: number, octets: number): number =>
  (product(powerFor(octets), first) ^ second) >>> 0

/** Remainders for the lengths that occur again and again. */
const POWERS = new Map<number, number>()
const MAX_POWERS = 1000

/** The remainder of x to the power of the bits in so many octets. */
function powerFor(octets: number): number {
  const known = POWERS.get(octets)
  if (known !== undefined) return known
  let [power, square] = [ONE, 0x00800000]
  for (let left = octets; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = product(square, power)
    square = product(square, square)
  }
  if (POWERS.size < MAX_POWERS) POWERS.set(octets, power)
  return power
}

/** The product of two polynomials over the field of two elements, modulo that of CRC-32; bits in reverse. */
function product(one: number, other: number): number {
  let [left, sum] = [other, 0]
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((one & bit) !== 0) sum ^= left
    left = (left & 1) === 0 ? left >>> 1 : (left >>> 1) ^ POLYNOMIAL
  }
  return sum >>> 0
}
