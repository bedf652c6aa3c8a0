import { createPublicKey, verify } from 'node:crypto'
import { DerError, octetAt } from '../der/reader.js'
import type { KeyParts, PublicKey } from './key.js'

interface EdwardsCurve {
  readonly kind: 'ed25519' | 'ed448'
  readonly name: string
  readonly bits: number
  /** Octets of a key, and half of a signature. */
  readonly octets: number
  readonly p: bigint
  /** The y of the points of small order: under such a key one signature is valid for any message. */
  readonly smallOrderY: readonly bigint[]
}

const P25519 = 2n ** 255n - 19n
const P448 = 2n ** 448n - 2n ** 224n - 1n
/** One y of the points of order 8; all of them solve dy^4 + 2y^2 = 1. */
const Y_OF_ORDER_8 = 0x5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n

const CURVES: ReadonlyMap<string, EdwardsCurve> = new Map([
  [
    '1.3.101.112',
    {
      kind: 'ed25519',
      name: 'Ed25519',
      bits: 255,
      octets: 32,
      p: P25519,
      smallOrderY: [0n, 1n, P25519 - 1n, Y_OF_ORDER_8, P25519 - Y_OF_ORDER_8],
    },
  ],
  ['1.3.101.113', { kind: 'ed448', name: 'Ed448', bits: 448, octets: 57, p: P448, smallOrderY: [0n, 1n, P448 - 1n] }],
])

export const isEdwardsAlgorithm = (oid: string): boolean => CURVES.has(oid)

/**
 * Imports a key of Ed25519 or Ed448 (RFC 8410, 3 and 4): no parameters, and the one encoding of its point (RFC 8032, 5.1.3
 * and 5.2.3). Throws DerError. OpenSSL rejects signatures with S not below the group order or a non-canonical R
 * (RFC 8032, 5.1.7 and 5.2.7), and all signatures under a key that is not on the curve.
 */
export function edwardsKey({ spki, algorithm, bits: point }: KeyParts): PublicKey {
  const curve = CURVES.get(algorithm.oid)
  if (curve === undefined) throw new DerError('algorithm of the key is not known')
  if (algorithm.parameters !== undefined) throw new DerError('algorithm of the key has parameters')
  const { kind, name, bits, octets, p, smallOrderY } = curve
  if (point.length !== octets) throw new DerError('not a point of the curve')
  const y = readY(point)
  if (y >= p || smallOrderY.includes(y)) throw new DerError('not a point that a key is')
  const x = Buffer.from(point).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: name, x }, format: 'jwk' })
  return {
    kind,
    bits,
    spki,
    algorithm,
    curve: { oid: algorithm.oid, name },
    verify: ({ family }, data, signature) =>
      family === kind && signature.length === 2 * octets && verify(null, data, key, signature),
  }
}

/** The y coordinate, little-endian, without the most significant bit, which is the sign of x. */
function readY(point: Uint8Array): bigint {
  const octets = Buffer.from(point).reverse()
  octets[0] = octetAt(octets, 0) & 0x7f
  return BigInt(`0x${octets.toString('hex')}`)
}
