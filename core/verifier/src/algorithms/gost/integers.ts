/** The number whose octets, the lowest first, these are. */
export function readLittleEndian(octets: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(octets).reverse().toString('hex') || '0'}`)
}

/** That many octets of the number, the lowest first. */
export function writeLittleEndian(value: bigint, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex').reverse()
}

/** The representative in [0, modulus). */
export function modulo(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus
  return rest < 0n ? rest + modulus : rest
}

/** Leading bits that steps of Euclid's algorithm are foreseen from: a number exact in 64-bit floating point, and sums of two. */
const LEADING_BITS = 50

/**
 * The inverse modulo a prime of a number that is no multiple of it: extended Euclid by Lehmer's method (Knuth, The Art of
 * Computer Programming 2, 4.5.2, algorithm L), which takes some 25 bits of steps at once.
 */
export function inverse(value: bigint, prime: bigint): bigint {
  let [high, low] = [prime, modulo(value, prime)]
  let [before, coefficient] = [0n, 1n]
  while (low > 1n) {
    const [a, b, c, d] = foreseenSteps(high, low)
    ;[high, low] = [a * high + b * low, c * high + d * low]
    ;[before, coefficient] = [a * before + b * coefficient, c * before + d * coefficient]
  }
  return modulo(coefficient, prime)
}

/** Steps of Euclid's algorithm as a matrix: as many as the leading bits tell surely, or one. */
function foreseenSteps(high: bigint, low: bigint): [bigint, bigint, bigint, bigint] {
  const shift = BigInt(Math.max(0, Math.floor(Math.log2(Number(high))) - LEADING_BITS + 2))
  let [x, y] = [Number(high >> shift), Number(low >> shift)]
  let [a, b, c, d] = [1, 0, 0, 1]
  while (y + c !== 0 && y + d !== 0) {
    const quotient = Math.floor((x + a) / (y + c))
    if (quotient !== Math.floor((x + b) / (y + d))) break
    ;[a, c] = [c, a - quotient * c]
    ;[b, d] = [d, b - quotient * d]
    ;[x, y] = [y, x - quotient * y]
  }
  return b === 0 ? [0n, 1n, 1n, -(high / low)] : [BigInt(a), BigInt(b), BigInt(c), BigInt(d)]
}

/** base^exponent modulo a number. */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) result = (result * result * (bit === '1' ? base : 1n)) % modulus
  return result
}
