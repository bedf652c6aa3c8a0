/**
 * The digits of a factor for multiplication with a table of odd multiples: factor = sum of digit[i] * 2^i, every digit
 * zero or odd and below 2^(width - 1) in magnitude, at most one of `width` neighbours not zero.
 */
export function signedDigits(factor: bigint, width: number): Int16Array {
  const bits = factor.toString(2)
  const digits = new Int16Array(bits.length + 1)
  const bit = (index: number): number => (bits[bits.length - 1 - index] === '1' ? 1 : 0)
  let carry = 0
  for (let start = 0; start < digits.length; ) {
    if (bit(start) === carry) {
      start += 1
      continue
    }
    let window = carry
    for (let i = 0; i < width; i += 1) window += bit(start + i) * 2 ** i
    carry = window < 2 ** (width - 1) ? 0 : 1
    digits[start] = window - carry * 2 ** width
    start += width
  }
  return digits
}
