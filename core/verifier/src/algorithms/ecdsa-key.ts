import { createPublicKey, ECDH, type KeyObject, verify } from 'node:crypto'
import { readOid } from '../der/oid.js'
import { DerError, readDer } from '../der/reader.js'
import type { KeyParts, PublicKey } from './key.js'
import { rawPair } from './signature-pair.js'

const EC_PUBLIC_KEY = '1.2.840.10045.2.1'

interface Curve {
  readonly name: string
  readonly openssl: string
  readonly bits: number
  /** Octets of a coordinate, and of r and s. */
  readonly octets: number
}

const CURVES: ReadonlyMap<string, Curve> = new Map([
  ['1.2.840.10045.3.1.7', { name: 'P-256', openssl: 'prime256v1', bits: 256, octets: 32 }],
  ['1.3.132.0.34', { name: 'P-384', openssl: 'secp384r1', bits: 384, octets: 48 }],
  ['1.3.132.0.35', { name: 'P-521', openssl: 'secp521r1', bits: 521, octets: 66 }],
])

export const isEcAlgorithm = (oid: string): boolean => oid === EC_PUBLIC_KEY

/** Imports a key on a named curve (RFC 5480, 2); parameters written out are refused. Throws DerError. */
export function ecdsaKey({ spki, algorithm, bits: point }: KeyParts): PublicKey {
  if (algorithm.parameters === undefined) throw new DerError('curve is not named')
  const curveOid = readOid(readDer(algorithm.parameters))
  const curve = CURVES.get(curveOid)
  if (curve === undefined) throw new DerError('curve is not supported')
  const key = importPoint(curve, point)
  return {
    kind: 'ecdsa',
    bits: curve.bits,
    spki,
    algorithm,
    curve: { oid: curveOid, name: curve.name },
    verify: ({ family, digest, raw }, data, signature) => {
      if (family !== 'ecdsa' || digest.nodeName === undefined) return false
      const pair = raw === true ? signature : rawPair(signature, curve.octets)
      if (pair === undefined || pair.length !== 2 * curve.octets) return false
      return verify(digest.nodeName, data, { key, dsaEncoding: 'ieee-p1363' }, pair)
    },
  }
}

/** OpenSSL checks that the point is on the curve. */
function importPoint({ name, openssl, octets }: Curve, point: Uint8Array): KeyObject {
  const form = point[0]
  const uncompressed = form === 4 && point.length === 1 + 2 * octets
  const compressed = (form === 2 || form === 3) && point.length === 1 + octets
  if (!uncompressed && !compressed) throw new DerError('not a point of the curve')
  try {
    const whole = compressed ? (ECDH.convertKey(point, openssl, undefined, undefined, 'uncompressed') as Buffer) : point
    const coordinate = (from: number) => Buffer.from(whole.subarray(from, from + octets)).toString('base64url')
    return createPublicKey({
      key: { kty: 'EC', crv: name, x: coordinate(1), y: coordinate(1 + octets) },
      format: 'jwk',
    })
  } catch (error) {
    throw new DerError('not a point of the curve', { cause: error })
  }
}
