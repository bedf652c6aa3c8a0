import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import {
  encodeGostPublicKey,
  type GostCurve,
  GostKeyError,
  type GostPoint,
  gostCurves,
  parseGostPublicKey,
  verifyGost3410,
} from '#verifier/algorithms/gost/index.js'
import { readLittleEndian, writeLittleEndian } from '#verifier/algorithms/gost/integers.js'
import { isOnCurve, plainSum } from '#verifier/algorithms/gost/point-arithmetic.js'
import { generateGostKeyPair, gostPublicKey, signGost3410 } from '#verifier/algorithms/gost/sign-gost3410.js'
import { engineKey, engineSignature, hasGostEngine } from './gost-engine.js'
import { naiveVerify } from './naive-gost3410.js'
import { standardExamples } from './standard-examples.js'

const littleEndian = (hex: string): Buffer => Buffer.from(hex, 'hex').reverse()

/** The points of the curve with an x below 20; p = 3 modulo 4 makes the square root a power. */
function pointsFromX(curve: GostCurve): GostPoint[] {
  const { p, a, b } = curve
  return [...Array(20).keys()].map(BigInt).flatMap((x) => {
    const y = power((x * x * x + a * x + b) % p, (p + 1n) / 4n, p)
    return isOnCurve(curve, { x, y }) ? [{ x, y }] : []
  })
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) result = (result * result * (bit === '1' ? base : 1n)) % modulus
  return result
}

describe('GOST R 34.10-2012', () => {
  for (const { title, curve, privateKey, publicKey, e, r, s } of standardExamples) {
    const signature = Buffer.concat([littleEndian(r), littleEndian(s)])

    it(`accepts the example of ${title}`, () => {
      const key = parseGostPublicKey(curve, encodeGostPublicKey(curve, publicKey))
      expect(verifyGost3410(curve, key, littleEndian(e), signature)).to.equal(true)
      expect(gostPublicKey(curve, privateKey)).to.deep.equal(publicKey)
    })

    it(`refuses the example of ${title} with any octet changed`, () => {
      for (let i = 0; i < signature.length; i += 5) {
        const changed = Buffer.from(signature)
        changed[i] = (changed[i] as number) ^ 0x10
        expect(verifyGost3410(curve, publicKey, littleEndian(e), changed)).to.equal(false)
      }
      const otherDigest = littleEndian(e)
      otherDigest[3] = (otherDigest[3] as number) ^ 1
      expect(verifyGost3410(curve, publicKey, otherDigest, signature)).to.equal(false)
    })
  }

  for (const curve of Object.values(gostCurves)) {
    describe(`on ${curve.name}`, () => {
      const { privateKey, publicKey } = generateGostKeyPair(curve)
      const digest = randomBytes(curve.length)
      const signature = signGost3410(curve, privateKey, digest)
      const r = signature.subarray(0, curve.length)
      const s = signature.subarray(curve.length)
      const { q, p } = curve
      const judge = (octets: Uint8Array, hash: Uint8Array = digest) => verifyGost3410(curve, publicKey, hash, octets)
      const number = (value: bigint) => writeLittleEndian(value, curve.length)

      it('has a base point of order q', () => {
        const opposite = gostPublicKey(curve, q - 1n)
        expect(opposite).to.deep.equal({ x: curve.base.x, y: p - curve.base.y })
      })

      it('verifies as the affine formulas do', () => {
        for (let i = 0; i < 4; i += 1) {
          const pair = generateGostKeyPair(curve)
          const hash = randomBytes(curve.length)
          const made = signGost3410(curve, pair.privateKey, hash)
          if (i % 2) made[i] = (made[i] as number) ^ 1
          const numbers = [hash, made.subarray(0, curve.length), made.subarray(curve.length)].map(readLittleEndian)
          const [e = 0n, madeR = 0n, madeS = 0n] = numbers
          const verdict = verifyGost3410(curve, pair.publicKey, hash, made)
          expect(verdict).to.equal(i % 2 === 0)
          expect(verdict).to.equal(naiveVerify(curve, pair.publicKey, e % q, madeR, madeS))
        }
      })

      it('accepts its signature and refuses another digest, key or signature', () => {
        expect(judge(signature)).to.equal(true)
        expect(judge(signature, randomBytes(curve.length))).to.equal(false)
        expect(judge(Buffer.concat([s, r]))).to.equal(false)
        expect(verifyGost3410(curve, generateGostKeyPair(curve).publicKey, digest, signature)).to.equal(false)
      })

      it('refuses r and s outside 1 to q - 1', () => {
        for (const wrong of [0n, q, 2n ** BigInt(8 * curve.length) - 1n]) {
          expect(judge(Buffer.concat([number(wrong), s]))).to.equal(false)
          expect(judge(Buffer.concat([r, number(wrong)]))).to.equal(false)
        }
      })

      if (2n * q < 2n ** BigInt(8 * curve.length)) {
        it('refuses r + q and s + q, which fit the length here', () => {
          expect(judge(Buffer.concat([r, number(readLittleEndian(s) + q)]))).to.equal(false)
          expect(judge(Buffer.concat([number(readLittleEndian(r) + q), s]))).to.equal(false)
        })
      }

      it('refuses signatures and digests of another length', () => {
        expect(judge(signature.subarray(1))).to.equal(false)
        expect(judge(Buffer.concat([signature, Buffer.of(0)]))).to.equal(false)
        expect(judge(new Uint8Array(0))).to.equal(false)
        expect(judge(signature, digest.subarray(1))).to.equal(false)
      })

      it('signs 1 in place of a digest that is 0 modulo q', () => {
        const zero = Buffer.alloc(curve.length)
        const made = signGost3410(curve, privateKey, zero)
        expect(judge(made, zero)).to.equal(true)
        expect(judge(made, number(1n))).to.equal(true)
        expect(judge(made, number(q))).to.equal(true)
      })

      it('survives sums that meet the same point, its opposite, or infinity', () => {
        // With the key d*P for small d the intermediate sums of s/e*P and -r/e*key meet each other.
        for (const d of [1n, 2n, q - 1n, (q + 1n) / 2n]) {
          const key = gostPublicKey(curve, d)
          const made = signGost3410(curve, d, digest)
          expect(verifyGost3410(curve, key, digest, made)).to.equal(true)
          const e = readLittleEndian(digest) % q
          for (const small of [1n, 5n]) {
            // s = r*d leads to infinity; the neighbours lead to small multiples of P.
            const [forgedR, forgedS] = [small, (small * d) % q]
            for (const shift of [0n, e, q - e]) {
              const octets = Buffer.concat([number(forgedR), number((forgedS + shift) % q || 1n)])
              const expected = naiveVerify(curve, key, e, forgedR, (forgedS + shift) % q || 1n)
              expect(verifyGost3410(curve, key, digest, octets)).to.equal(expected)
            }
          }
        }
      })

      it('refuses keys that are truncated, too long, not on the curve or out of range', () => {
        const octets = encodeGostPublicKey(curve, publicKey)
        expect(parseGostPublicKey(curve, octets)).to.deep.equal(publicKey)
        const beside = Buffer.from(octets)
        beside[0] = (beside[0] as number) ^ 1
        for (const wrong of [
          octets.subarray(1),
          Buffer.concat([octets, Buffer.of(0)]),
          beside,
          Buffer.alloc(2 * curve.length),
          Buffer.alloc(2 * curve.length, 0xff),
          Buffer.concat([number(p), octets.subarray(curve.length)]),
        ]) {
          expect(() => parseGostPublicKey(curve, wrong)).to.throw(GostKeyError)
        }
        const elsewhere = { x: publicKey.x, y: (publicKey.y + 1n) % p }
        expect(verifyGost3410(curve, elsewhere, digest, signature)).to.equal(false)
      })
    })
  }

  it('refuses keys outside the group of the base point', () => {
    const curve = gostCurves.tc26Gost256A
    const points = pointsFromX(curve).filter((point) => plainSum(curve, 0n, { factor: curve.q, point }).z !== 0n)
    expect(points).to.not.have.length(0)
    for (const point of points) {
      expect(isOnCurve(curve, point)).to.equal(true)
      expect(() => parseGostPublicKey(curve, encodeGostPublicKey(curve, point))).to.throw(GostKeyError, 'group')
    }
  })

  it('agrees with the OpenSSL engine (skipped where it is not installed)', function () {
    if (!hasGostEngine) this.skip()
    for (const [curve, algorithm, parameters] of [
      [gostCurves.tc26Gost512A, 'gost2012_512', 'A'],
      [gostCurves.cryptoProA, 'gost2012_256', 'A'],
      [gostCurves.tc26Gost256A, 'gost2012_256', 'TCA'],
    ] as const) {
      const { keyFile, publicOctets } = engineKey(algorithm, parameters, 2 * curve.length)
      const digest = randomBytes(curve.length)
      const key = parseGostPublicKey(curve, publicOctets)
      const signature = engineSignature(keyFile, digest)
      expect(verifyGost3410(curve, key, digest, signature)).to.equal(true)
      signature[5] = (signature[5] as number) ^ 4
      expect(verifyGost3410(curve, key, digest, signature)).to.equal(false)
    }
  })
})
