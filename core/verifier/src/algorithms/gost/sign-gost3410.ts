/**
 * Key pairs and signatures for development authorities and tests. Not hardened: the arithmetic takes a time that
 * depends on the private key. Production verifies only, and keys of real people never come here.
 */
import { randomBytes } from 'node:crypto'
import type { GostCurve, GostPoint } from './curves.js'
import { signedNumber } from './gost3410.js'
import { modulo, readLittleEndian, writeLittleEndian } from './integers.js'
import { multipleOfBase } from './multiples.js'

export interface GostKeyPair {
  readonly privateKey: bigint
  readonly publicKey: GostPoint
}

/** A number in [1, q - 1], each as likely as any other. */
function randomBelow(q: bigint, length: number): bigint {
  for (;;) {
    const candidate = readLittleEndian(randomBytes(length))
    if (candidate > 0n && candidate < q) return candidate
  }
}

/** The public key d*P of a private key in [1, q - 1]. */
export function gostPublicKey(curve: GostCurve, privateKey: bigint): GostPoint {
  const point = privateKey > 0n && privateKey < curve.q && multipleOfBase(curve, privateKey)
  if (!point) throw new RangeError('the private key is out of range')
  return point
}

/** A fresh key pair; development and tests only. */
export function generateGostKeyPair(curve: GostCurve): GostKeyPair {
  const privateKey = randomBelow(curve.q, curve.length)
  return { privateKey, publicKey: gostPublicKey(curve, privateKey) }
}

/** Signs a digest of the curve's length (RFC 7091 section 6.1); development and tests only. */
export function signGost3410(curve: GostCurve, privateKey: bigint, digest: Uint8Array): Buffer {
  if (digest.length !== curve.length) throw new RangeError('the digest has a wrong length')
  const e = signedNumber(curve, digest)
  for (;;) {
    const k = randomBelow(curve.q, curve.length)
    const r = (multipleOfBase(curve, k)?.x ?? 0n) % curve.q
    const s = modulo(r * privateKey + k * e, curve.q)
    if (r !== 0n && s !== 0n) {
      return Buffer.concat([writeLittleEndian(r, curve.length), writeLittleEndian(s, curve.length)])
    }
  }
}
