import { expect } from 'chai'
import fc from 'fast-check'
import { FastMultiples } from '#verifier/algorithms/gost/fast-multiples.js'
import { type PrimeField, primeField } from '#verifier/algorithms/gost/field-module.js'
import { type GostCurve, type GostPoint, gostCurves } from '#verifier/algorithms/gost/index.js'
import { inverse, modulo, power } from '#verifier/algorithms/gost/integers.js'
import { isOnCurve, plainSum, toAffine } from '#verifier/algorithms/gost/point-arithmetic.js'

/** `id-tc26-gost-3410-2012-512-paramSetC` (RFC 7836 A.2), which is no curve of the national algorithms. */
const tc26Gost512C: GostCurve = {
  name: 'tc26-512-C',
  length: 64,
  p: 2n ** 512n - 569n,
  a: 0xdc9203e514a721875485a529d2c722fb187bc8980eb866644de41c68e143064546e861c0e2c9edd92ade71f46fcf50ff2ad97f951fda9f2a2eb6546f39689bd3n,
  b: 0xb4c4ee28cebc6c2c8ac12952cf37f16ac7efb6a9f69f4b57ffda2e4f0de5ade038cbc2fff719d2c18de0284b8bfef3b52b8cc7a5f5bf0a3c8d2319a5312557e1n,
  q: 0x3fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc98cdba46506ab004c33a9ff5147502cc8eda9e7a769a12694623cef47f023edn,
  cofactor: 4n,
  base: {
    x: 0xe2e31edfc23de7bdebe241ce593ef5de2295b7a9cbaef021d385f7074cea043aa27272a7ae602bf2a7b9033db9ed3610c6fb85487eae97aac5bc7928c1950148n,
    y: 0xf5ce40d95b5eb899abbccff5911cb8577939804d6527378b8c108c3d2090ff9be18e2d33e3021ed2ef32d85822423b6304f726aa854bae07d0396e9a9addc40fn,
  },
  edwards:
    0x9e4f5d8c017d8d9f13a5cf3cdf5bfe4dab402d54198e31ebde28a0621050439ca6b39e0a515c06b304e2ce43e79e369e91a0cfc2bc2a22b4ca302dbb33ee7550n,
}

/** The sum by the fast formulas, as an affine point; undefined where they say that they cannot tell it. */
function fastSum(fast: FastMultiples, curve: GostCurve, baseFactor: bigint, factor: bigint, point: GostPoint) {
  const sum = fast.sum(baseFactor, { factor, point })
  return sum.z === 0n ? undefined : { sum: toAffine(curve, sum) }
}

for (const curve of [gostCurves.tc26Gost256A, tc26Gost512C]) {
  const { p, a, b, q, base, edwards: d = 0n } = curve
  const fast = new FastMultiples(primeField(p) as PrimeField, curve)
  const [s, t] = [modulo((1n - d) * inverse(4n, p), p), modulo((1n + d) * inverse(6n, p), p)]
  /** The points of order 4, and the one of order 2. */
  const small: GostPoint[] = [
    { x: modulo(t + s, p), y: s },
    { x: modulo(t + s, p), y: p - s },
    { x: t, y: 0n },
  ]
  const edges = [
    0n,
    1n,
    2n,
    3n,
    4n,
    5n,
    15n,
    16n,
    17n,
    127n,
    128n,
    129n,
    q - 2n,
    q - 1n,
    q,
    q + 1n,
    2n * q,
    4n * q - 1n,
    4n * q,
  ]
  const factors = fc.oneof(
    { arbitrary: fc.bigInt({ min: 0n, max: q - 1n }), weight: 3 },
    fc.constantFrom(...edges),
    fc.nat(1000).map(BigInt),
    fc.nat(8 * curve.length - 3).map((shift) => 2n ** BigInt(shift)),
  )
  const multipleAnd = (factor: bigint, other?: GostPoint) =>
    toAffine(curve, plainSum(curve, factor, other && { factor: 1n, point: other }))
  /** Points of the group of the base point, and with a component of order 2 or 4. */
  const points = fc
    .tuple(factors, fc.constantFrom(undefined, ...small))
    .map(([factor, other]) => multipleAnd(factor, other))
    .filter((point) => point !== undefined)

  describe(`${curve.name} in the form of Edwards`, () => {
    it('is the same curve, of the kind that the formulas ask for', () => {
      expect(modulo(s * s - 3n * t * t - a, p)).to.equal(0n)
      expect(modulo(2n * t * t * t - t * s * s - b, p)).to.equal(0n)
      expect(p % 4n).to.equal(3n)
      expect(power(d, (p - 1n) / 2n, p)).to.equal(p - 1n)
      for (const point of [base, ...small]) expect(isOnCurve(curve, point)).to.equal(true)
    })

    it('adds multiples as the plain formulas do, of points in and outside the group, or says that it cannot', () => {
      fc.assert(
        fc.property(factors, factors, points, (baseFactor, factor, point) => {
          const found = fastSum(fast, curve, baseFactor, factor, point)
          if (found === undefined) return
          expect(found.sum).to.deep.equal(toAffine(curve, plainSum(curve, baseFactor, { factor, point })))
        }),
        { numRuns: curve.length === 32 ? 200 : 30 },
      )
    })

    it('adds multiples by every pair of edges, of the base point and of points with a small order', () => {
      for (const point of [base, { x: base.x, y: p - base.y }, ...small, ...small.map((one) => multipleAnd(5n, one))]) {
        if (point === undefined) throw new Error('no such point')
        for (const factor of edges) {
          for (const baseFactor of edges.slice(0, curve.length === 32 ? 8 : 3)) {
            const found = fastSum(fast, curve, baseFactor, factor, point)
            const plain = toAffine(curve, plainSum(curve, baseFactor, { factor, point }))
            if (found !== undefined) expect(found.sum).to.deep.equal(plain)
          }
        }
      }
    })

    it('needs the plain formulas for no sum of points of the group, but those of order 1', () => {
      for (let factor = 1n; factor <= 20n; factor += 1n) {
        const point = multipleAnd(factor) ?? base
        // The same point, its opposite and small differences meet on the way.
        for (const baseFactor of [factor, q - factor - 1n, 2n * factor, q / 2n, q / factor]) {
          const expected = plainSum(curve, baseFactor, { factor: 1n, point })
          expect(fastSum(fast, curve, baseFactor, 1n, point) === undefined).to.equal(expected.z === 0n)
        }
      }
    })
  })
}
