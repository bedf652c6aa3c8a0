/** `base` to the `exponent` modulo `modulus`, of public numbers: it takes a time that depends on them. */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus
    if (bit === '1') result = (result * base) % modulus
  }
  return result % modulus
}
