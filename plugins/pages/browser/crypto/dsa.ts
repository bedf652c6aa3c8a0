import { invert } from '@noble/curves/abstract/modular.js'
import { bytesToNumberBE } from '@noble/curves/utils.js'
import { createHash } from './hashes.js'
import type { VerificationKey } from './key.js'
import { power } from './power.js'
import { derParts, type Spki } from './spki.js'

/** A DSA key (FIPS 186-4, 4.7), which an old certification path may have; the default policy trusts none. */
export function dsaKey({ parameters, key }: Spki): VerificationKey {
  const [p = 0n, q = 0n, g = 0n] = derParts(parameters?.content).map(({ content }) => bytesToNumberBE(content))
  const [value] = derParts(key)
  if (value === undefined || p === 0n || q === 0n) throw new TypeError('not a DSA key')
  const y = bytesToNumberBE(value.content)
  const octets = Math.ceil(q.toString(2).length / 8)
  return {
    verify(digest, data, signature) {
      if (digest === null || signature.length !== 2 * octets) return false
      const r = bytesToNumberBE(signature.subarray(0, octets))
      const s = bytesToNumberBE(signature.subarray(octets))
      if (r === 0n || r >= q || s === 0n || s >= q) return false
      const number = bytesToNumberBE(createHash(digest).update(data).digest().subarray(0, octets))
      const w = invert(s, q)
      const product = power(g, (number * w) % q, p) * power(y, (r * w) % q, p)
      return (product % p) % q === r
    },
  }
}
