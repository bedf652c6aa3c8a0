import { createPrivateKey, generatePrimeSync, type JsonWebKey } from 'node:crypto'
import { generateKey, signingKey } from '#dev-authorities/keys.js'
import type { SigningKey } from '#dev-authorities/signing-key.js'

const EXPONENT = 65537n

/** As many different keys as asked for; of RSA 2048 thousands take seconds, since every two of a few primes make one. */
export function manyKeys(kind: 'rsa2048' | 'p256', count: number): SigningKey[] {
  if (kind === 'p256') return Array.from({ length: count }, () => generateKey('p256'))
  const keys: SigningKey[] = []
  const primes: bigint[] = []
  while (keys.length < count) {
    const p = generatePrimeSync(1024, { bigint: true })
    if (p % EXPONENT === 1n) continue
    for (const q of primes) keys.push(rsaKey(p, q))
    primes.push(p)
  }
  return keys.slice(0, count)
}

function rsaKey(p: bigint, q: bigint): SigningKey {
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n))
  const numbers = { n: p * q, e: EXPONENT, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) }
  const members = Object.entries(numbers).map(([name, value]) => [name, base64url(value)])
  const key: JsonWebKey = { kty: 'RSA', ...Object.fromEntries(members) }
  return signingKey(createPrivateKey({ key, format: 'jwk' }))
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [modulus, value % modulus, 0n, 1n]
  while (b > 0n) {
    const quotient = a / b
    ;[a, b, x, y] = [b, a - quotient * b, y, x - quotient * y]
  }
  return x < 0n ? x + modulus : x
}

function base64url(value: bigint): string {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url')
}
