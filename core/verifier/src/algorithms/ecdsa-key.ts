import { createPublicKey, ECDH, type KeyObject, verify } from 'node:crypto'
import { BIT_STRING, SEQUENCE } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { DerError, readDer } from '../der/reader.js'
import { writeElement, writeOid } from '../der/writer.js'
import type { KeyParts, NamedCurve, PublicKey } from './key.js'
import { rawPair } from './signature-pair.js'

const EC_PUBLIC_KEY = '1.2.840.10045.2.1'

export const isEcAlgorithm = (oid: string): boolean => oid === EC_PUBLIC_KEY

/** Imports a key on a named curve (RFC 5480, 2; RFC 5639, 4); explicit parameters are refused. Throws DerError. */
export function ecdsaKey({ spki, algorithm, bits: point }: KeyParts): PublicKey {
  if (algorithm.parameters === undefined) throw new DerError('curve is not named')
  const curve = curves.get(readOid(readDer(algorithm.parameters)))
  if (curve === undefined) throw new DerError('curve is not supported')
  const { oid, name, bits, octets } = curve
  const key = importPoint(curve, point)
  return {
    kind: 'ecdsa',
    bits,
    spki,
    algorithm,
    curve: { oid, name },
    verify: ({ family, digest, raw }, data, signature) => {
      if (family !== 'ecdsa' || digest.nodeName === undefined) return false
      const pair = raw === true ? signature : rawPair(signature, octets)
      if (pair === undefined || pair.length !== 2 * octets) return false
      return verify(digest.nodeName, data, { key, dsaEncoding: 'ieee-p1363' }, pair)
    },
  }
}

/** OpenSSL checks that the point is on the curve. */
function importPoint(curve: Curve, point: Uint8Array): KeyObject {
  const { openssl, octets } = curve
  const form = point[0]
  const uncompressed = form === 4 && point.length === 1 + 2 * octets
  const compressed = (form === 2 || form === 3) && point.length === 1 + octets
  if (!uncompressed && !compressed) throw new DerError('not a point of the curve')
  try {
    const uncompressedPoint = compressed
      ? (ECDH.convertKey(point, openssl, undefined, undefined, 'uncompressed') as Buffer)
      : point
    return curve.inJwk ? importJwk(curve, uncompressedPoint) : importSpki(curve, uncompressedPoint)
  } catch (error) {
    throw new DerError('not a point of the curve', { cause: error })
  }
}

function importJwk({ name, octets }: Curve, point: Uint8Array): KeyObject {
  const coordinate = (from: number) => Buffer.from(point.subarray(from, from + octets)).toString('base64url')
  return createPublicKey({ key: { kty: 'EC', crv: name, x: coordinate(1), y: coordinate(1 + octets) }, format: 'jwk' })
}

/** Reencoded, so that OpenSSL sees one form of each key: a named curve and an uncompressed point. */
function importSpki({ oid }: Curve, point: Uint8Array): KeyObject {
  const algorithm = writeElement(SEQUENCE, writeOid(EC_PUBLIC_KEY), writeOid(oid))
  const spki = writeElement(SEQUENCE, algorithm, writeElement(BIT_STRING, Uint8Array.of(0), point))
  return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
}

/** A curve of ECDSA. */
interface Curve extends NamedCurve {
  /** Name in OpenSSL, for `node:crypto`. */
  readonly openssl: string
  readonly bits: number
  /** Octets of a coordinate, and of r and s each. */
  readonly octets: number
  /** Whether JSON Web Keys (RFC 7518, 6.2) have it. */
  readonly inJwk: boolean
}

const nist = (oid: string, name: string, openssl: string, bits: number): Curve => ({
  oid,
  name,
  openssl,
  bits,
  octets: Math.ceil(bits / 8),
  inJwk: true,
})

const BRAINPOOL = '1.3.36.3.3.2.8.1.1'
const brainpool = (arc: number, bits: number, kind: 'r1' | 't1'): Curve => {
  const name = `brainpoolP${bits}${kind}`
  return { oid: `${BRAINPOOL}.${arc}`, name, openssl: name, bits, octets: bits / 8, inJwk: false }
}

const CURVES: readonly Curve[] = [
  nist('1.2.840.10045.3.1.7', 'P-256', 'prime256v1', 256),
  nist('1.3.132.0.34', 'P-384', 'secp384r1', 384),
  nist('1.3.132.0.35', 'P-521', 'secp521r1', 521),
  brainpool(7, 256, 'r1'),
  brainpool(8, 256, 't1'),
  brainpool(11, 384, 'r1'),
  brainpool(12, 384, 't1'),
  brainpool(13, 512, 'r1'),
  brainpool(14, 512, 't1'),
]

/** Curves of ECDSA by OID: those of NIST (RFC 5480, 2.1.1.1) and of Brainpool, random and twisted (RFC 5639, 4). */
const curves: ReadonlyMap<string, Curve> = new Map(CURVES.map((curve) => [curve.oid, curve]))
