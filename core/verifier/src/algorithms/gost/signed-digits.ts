import { writeLittleEndian } from './integers.js'

/** Octets behind the highest, so that every digit can be read at once. */
const PADDING = 4
/** Bits that can be read at any place. */
const READABLE = 25

/**
 * The digits of a factor for multiplication with a table of odd multiples: factor = sum of digit[i] * 2^i, every digit
 * zero or odd and below 2^(width - 1) in magnitude, at most one of `width` neighbours not zero. The width is at most 16.
 */
export function signedDigits(factor: bigint, width: number): Int16Array {
  const octets = Math.ceil(factor.toString(16).length / 2)
  const { buffer, byteOffset } = writeLittleEndian(factor, octets + PADDING)
  const view = new DataView(buffer, byteOffset, octets + PADDING)
  const digits = new Int16Array(8 * octets + 1)
  let carry = 0
  let start = 0
  while (start < digits.length) {
    const bits = view.getUint32(start >> 3, true) >>> (start & 7)
    // Bits that are as the carry give no digit.
    const differing = carry === 0 ? bits : ~bits
    const skipped = Math.min(31 - Math.clz32(differing & -differing), READABLE)
    if (differing === 0 || skipped > 0) {
      start += differing === 0 ? READABLE : skipped
      continue
    }
    const window = (bits & ((1 << width) - 1)) + carry
    carry = window < 2 ** (width - 1) ? 0 : 1
    digits[start] = window - carry * 2 ** width
    start += width
  }
  return digits
}
