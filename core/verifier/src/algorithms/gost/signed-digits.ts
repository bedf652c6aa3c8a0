import { writeLittleEndian } from './integers.js'

/**
 * The digits of a factor for multiplication with a table of odd multiples: factor = sum of digit[i] * 2^i, every digit
 * zero or odd and below 2^(width - 1) in magnitude, at most one of `width` neighbours not zero. The width is at most 16.
 */
export function signedDigits(factor: bigint, width: number): Int16Array {
  const octets = writeLittleEndian(factor, Math.ceil(factor.toString(16).length / 2))
  const digits = new Int16Array(8 * octets.length + 1)
  const octet = (index: number): number => octets[index] ?? 0
  const bits = (start: number, count: number): number => {
    const at = start >> 3
    return (((octet(at) | (octet(at + 1) << 8) | (octet(at + 2) << 16)) >> (start & 7)) & ((1 << count) - 1)) >>> 0
  }
  let carry = 0
  for (let start = 0; start < digits.length; ) {
    if (bits(start, 1) === carry) {
      start += 1
      continue
    }
    const window = bits(start, width) + carry
    carry = window < 2 ** (width - 1) ? 0 : 1
    digits[start] = window - carry * 2 ** width
    start += width
  }
  return digits
}
