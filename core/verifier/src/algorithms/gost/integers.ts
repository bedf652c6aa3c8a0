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

/** The inverse modulo a prime of a number that is no multiple of it (extended Euclid). */
export function inverse(value: bigint, prime: bigint): bigint {
  let [high, low] = [prime, modulo(value, prime)]
  let [before, coefficient] = [0n, 1n]
  while (low > 1n) {
    const quotient = high / low
    ;[high, low] = [low, high - quotient * low]
    ;[before, coefficient] = [coefficient, before - quotient * coefficient]
  }
  return modulo(coefficient, prime)
}

/** base^exponent modulo a number. */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) result = (result * result * (bit === '1' ? base : 1n)) % modulus
  return result
}
