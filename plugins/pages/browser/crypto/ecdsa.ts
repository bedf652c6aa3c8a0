import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js'
import { bytesToNumberBE } from '@noble/curves/utils.js'
import { curveNamed } from './curves.js'
import { createHash } from './hashes.js'
import type { VerificationKey } from './key.js'

/** A key of ECDSA on a curve by its name in OpenSSL; throws where it is no point of the curve. */
export function ecdsaKey(curve: string, point: Uint8Array): VerificationKey {
  const key = curveNamed(curve).fromBytes(point)
  return {
    verify: (digest, data, signature) =>
      digest !== null && isRight(curve, key, signature, () => createHash(digest).update(data).digest()),
  }
}

/** `ECDH.convertKey`: a compressed point in its uncompressed form. */
export const uncompressed = (curve: string, point: Uint8Array): Uint8Array =>
  curveNamed(curve).fromBytes(point).toBytes(false)

/** FIPS 186-5, 6.4.2, of r and s each in the octets of the order. */
function isRight(curve: string, key: WeierstrassPoint<bigint>, pair: Uint8Array, digest: () => Uint8Array): boolean {
  const { BASE, Fn } = curveNamed(curve)
  const n = Fn.ORDER
  if (pair.length !== 2 * Fn.BYTES) return false
  const r = bytesToNumberBE(pair.subarray(0, Fn.BYTES))
  const s = bytesToNumberBE(pair.subarray(Fn.BYTES))
  if (r === 0n || r >= n || s === 0n || s >= n) return false
  const w = Fn.inv(s)
  const u1 = Fn.mul(leftmost(digest(), Fn.BITS) % n, w)
  const sum = BASE.multiplyUnsafe(u1).add(key.multiplyUnsafe(Fn.mul(r, w)))
  return !sum.is0() && sum.toAffine().x % n === r
}

/** The leftmost bits of a digest as a number. */
const leftmost = (digest: Uint8Array, bits: number): bigint =>
  bytesToNumberBE(digest) >> BigInt(Math.max(0, 8 * digest.length - bits))
