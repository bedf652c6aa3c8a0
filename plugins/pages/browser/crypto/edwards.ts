import type { EdwardsPoint, EdwardsPointCons } from '@noble/curves/abstract/edwards.js'
import { ed448 } from '@noble/curves/ed448.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, concatBytes } from '@noble/curves/utils.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { shake256 } from '@noble/hashes/sha3.js'
import type { VerificationKey } from './key.js'

/** An Edwards curve of RFC 8032. */
interface EdwardsCurve {
  readonly Point: EdwardsPointCons
  /** Octets of a point, and of S. */
  readonly octets: number
  /** The digest of R, A and the message, with what the curve puts before them. */
  digest(message: Uint8Array): Uint8Array
  /** Whether R, as it stands in a signature, is the point that is due. */
  isDue(due: EdwardsPoint, r: Uint8Array): boolean
}

/** dom4 without a context (RFC 8032, 2). */
const DOM4 = Uint8Array.of(...new TextEncoder().encode('SigEd448'), 0, 0)

/** As OpenSSL decides, which differs between the two: both follow RFC 8032, 5.1.7 and 5.2.7. */
const CURVES: Readonly<Record<string, EdwardsCurve>> = {
  Ed25519: {
    Point: ed25519.Point,
    octets: 32,
    digest: (message) => sha512(message),
    // Compared as octets, without the cofactor; R is then in its one encoding.
    isDue: (due, r) => due.toBytes().every((octet, at) => octet === r[at]),
  },
  Ed448: {
    Point: ed448.Point,
    octets: 57,
    digest: (message) => shake256(concatBytes(DOM4, message), { dkLen: 114 }),
    // With the cofactor; OpenSSL decodes no point whose x is 0.
    isDue(due, r) {
      const given = pointOf(ed448.Point, r)
      return given !== undefined && given.x !== 0n && due.subtract(given).clearCofactor().is0()
    },
  },
}
/** SubjectPublicKeyInfo up to the key itself (RFC 8410, 4). */
const SPKI_ED25519 = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00)

/** A key of Ed25519 or Ed448; one that is no point of the curve verifies nothing, as in OpenSSL. */
export function edwardsKey(name: string, key: Uint8Array): VerificationKey {
  const curve = CURVES[name]
  if (curve === undefined || key.length !== curve.octets) throw new TypeError('not a key of Ed25519 or Ed448')
  return {
    ...(name === 'Ed25519' && { spki: concatBytes(SPKI_ED25519, key) }),
    verify: (_digest, data, signature) => signature.length === 2 * curve.octets && isRight(curve, key, data, signature),
  }
}

/** RFC 8032, 5.1.7 and 5.2.7; S must be below the order of the group. */
function isRight(curve: EdwardsCurve, key: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  const { Point, octets, digest } = curve
  const point = pointOf(Point, key)
  const r = signature.subarray(0, octets)
  const s = bytesToNumberLE(signature.subarray(octets))
  if (point === undefined || s >= Point.Fn.ORDER) return false
  const k = bytesToNumberLE(digest(concatBytes(r, key, data))) % Point.Fn.ORDER
  return curve.isDue(Point.BASE.multiplyUnsafe(s).subtract(point.multiplyUnsafe(k)), r)
}

/** A point from its one encoding; `undefined` for anything else. */
function pointOf(Point: EdwardsPointCons, key: Uint8Array): EdwardsPoint | undefined {
  try {
    return Point.fromBytes(key)
  } catch {
    return undefined
  }
}
