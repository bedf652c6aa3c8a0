import * as node from 'node:crypto'
import type { EdwardsPoint, EdwardsPointCons } from '@noble/curves/abstract/edwards.js'
import { ed448 } from '@noble/curves/ed448.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js'
import { expect } from 'chai'
import { cryptoInBrowsers } from '../../../support/as-in-browsers.js'

interface Curve {
  readonly name: 'Ed25519' | 'Ed448'
  readonly Point: EdwardsPointCons
  readonly octets: number
  readonly cofactor: number
  digest(message: Buffer): Buffer
}

const CURVES: readonly Curve[] = [
  {
    name: 'Ed25519',
    Point: ed25519.Point,
    octets: 32,
    cofactor: 8,
    digest: (message) => node.createHash('sha512').update(message).digest(),
  },
  {
    name: 'Ed448',
    Point: ed448.Point,
    octets: 57,
    cofactor: 4,
    digest: (message) =>
      node.createHash('shake256', { outputLength: 114 }).update('SigEd448\0\0').update(message).digest(),
  },
]

const [SECRET, NONCE] = [123456789012345678901234567890n, 98765432109876543210n]
const MESSAGE = Buffer.from('A contract')

/** All points of small order: what random points are, times the order of the group. */
function smallPoints({ Point, octets, cofactor }: Curve): EdwardsPoint[] {
  const found: EdwardsPoint[] = []
  for (let y = 2n; found.length < cofactor; y += 1n) {
    try {
      const point = Point.fromBytes(numberToBytesLE(y, octets))
      const small = point.multiplyUnsafe(Point.Fn.ORDER - 1n).add(point)
      for (const one of [small, small.negate()]) if (!found.some((other) => other.equals(one))) found.push(one)
    } catch {
      // no point has this y
    }
  }
  return found
}

/** A signature made with the secret and this R. */
function signed(curve: Curve, key: Uint8Array, r: Uint8Array, nonce: bigint, more = 0n): Buffer {
  const { ORDER } = curve.Point.Fn
  const k = bytesToNumberLE(curve.digest(Buffer.concat([r, key, MESSAGE]))) % ORDER
  return Buffer.concat([r, numberToBytesLE(((nonce + k * SECRET) % ORDER) + more, curve.octets)])
}

describe('Edwards curves of the verifier in browsers', () => {
  let browsers: typeof node
  before(async () => {
    browsers = await cryptoInBrowsers()
  })
  const verified = (by: typeof node, crv: string, key: Uint8Array, signature: Buffer): boolean => {
    const jwk = { kty: 'OKP', crv, x: Buffer.from(key).toString('base64url') }
    return by.verify(null, MESSAGE, by.createPublicKey({ key: jwk, format: 'jwk' }), signature)
  }

  for (const curve of CURVES) {
    const { name, Point, octets, cofactor } = curve

    it(`says of ${name} what OpenSSL says where a point of small order was added to the key, to R, or to both`, () => {
      const small = smallPoints(curve)
      expect(small).to.have.length(cofactor)
      const found = small.flatMap((inKey) =>
        small.map((inR) => {
          const key = Point.BASE.multiply(SECRET).add(inKey).toBytes()
          const signature = signed(curve, key, Point.BASE.multiply(NONCE).add(inR).toBytes(), NONCE)
          const due = verified(node, name, key, signature)
          expect(verified(browsers, name, key, signature)).to.equal(due)
          return due
        }),
      )
      // Ed25519 without the cofactor, Ed448 with it.
      expect(found.includes(false)).to.equal(name === 'Ed25519')
      expect(found).to.include(true)
    })

    it(`says of ${name} what OpenSSL says where R is of small order or in another encoding, or S is too large`, () => {
      const key = Point.BASE.multiply(SECRET).toBytes()
      const p = Point.Fp.ORDER
      for (const y of [0n, 1n, p - 1n, p, p + 1n]) {
        for (const sign of [0, 0x80]) {
          const r = numberToBytesLE(y, octets)
          r[octets - 1] = (r[octets - 1] ?? 0) | sign
          for (const more of [0n, Point.Fn.ORDER]) {
            const signature = signed(curve, key, r, 0n, more)
            expect(verified(browsers, name, key, signature), `${y} ${sign} ${more}`).to.equal(
              verified(node, name, key, signature),
            )
          }
        }
      }
    })

    it(`takes for ${name} no key that is no point of the curve`, () => {
      for (let y = 2n; y < 20n; y += 1n) {
        const key = numberToBytesLE(y, octets)
        const signature = signed(curve, key, Point.BASE.toBytes(), 1n)
        expect(verified(browsers, name, key, signature)).to.equal(verified(node, name, key, signature))
      }
    })
  }
})
