import type { GostCurve, GostPoint } from './curves.js'
import { inverse, modulo, readLittleEndian, writeLittleEndian } from './integers.js'
import { sumOfMultiples } from './multiples.js'
import { isOnCurve, type Jacobian, toAffine } from './point-arithmetic.js'

/** Thrown for octets that are not a public key on the curve; callers convert it to an error of their own. */
export class GostKeyError extends Error {
  override readonly name = 'GostKeyError'
}

/** Reads x and y, each little-endian (the contents of the OCTET STRING inside a key's BIT STRING); throws GostKeyError. */
export function parseGostPublicKey(curve: GostCurve, octets: Uint8Array): GostPoint {
  if (octets.length !== 2 * curve.length) throw new GostKeyError('the key has a wrong length')
  const point = {
    x: readLittleEndian(octets.subarray(0, curve.length)),
    y: readLittleEndian(octets.subarray(curve.length)),
  }
  if (!isOnCurve(curve, point)) throw new GostKeyError('the key is not a point of the curve')
  if (curve.cofactor !== 1n && !hasOrderQ(curve, point)) {
    throw new GostKeyError('the key is outside the group of the base point')
  }
  return Object.freeze(point)
}

/** Whether q * point is the point at infinity, that is, (q - 1) * point = -point. */
function hasOrderQ(curve: GostCurve, point: GostPoint): boolean {
  const last = toAffine(curve, sumOfMultiples(curve, 0n, { factor: curve.q - 1n, point }))
  return last !== undefined && last.x === point.x && last.y === curve.p - point.y
}

/** x and y, each little-endian. */
export function encodeGostPublicKey(curve: GostCurve, { x, y }: GostPoint): Buffer {
  return Buffer.concat([writeLittleEndian(x, curve.length), writeLittleEndian(y, curve.length)])
}

/** The number e that is signed: the digest read little-endian, modulo q, with 1 in place of 0. */
export function signedNumber(curve: GostCurve, digest: Uint8Array): bigint {
  return readLittleEndian(digest) % curve.q || 1n
}

/**
 * Verifies a signature of GOST R 34.10-2012 (RFC 7091 section 6.2; also GOST R 34.10-2015 and GOST 34.310-2004): r and s,
 * each little-endian. False for anything but a valid signature; the digest has the length of a coordinate.
 */
export function verifyGost3410(
  curve: GostCurve,
  publicKey: GostPoint,
  digest: Uint8Array,
  signature: Uint8Array,
): boolean {
  const { q, length } = curve
  if (signature.length !== 2 * length || digest.length !== length || !isOnCurve(curve, publicKey)) return false
  const r = readLittleEndian(signature.subarray(0, length))
  const s = readLittleEndian(signature.subarray(length))
  if (r === 0n || r >= q || s === 0n || s >= q) return false
  const v = inverse(signedNumber(curve, digest), q)
  const sum = sumOfMultiples(curve, (s * v) % q, { factor: modulo(-r * v, q), point: publicKey })
  return hasAbscissa(curve, sum, r)
}

/** Whether the affine x modulo q is r, without an inversion: (r + k*q) * z^2 = x for some r + k*q below p. */
function hasAbscissa({ p, q }: GostCurve, { x, z }: Jacobian, r: bigint): boolean {
  if (z === 0n) return false
  const zz = (z * z) % p
  for (let candidate = r; candidate < p; candidate += q) {
    if ((candidate * zz - x) % p === 0n) return true
  }
  return false
}
