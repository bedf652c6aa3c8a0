import { expect } from 'chai'
import fc from 'fast-check'
import { FastMultiples } from '#verifier/algorithms/gost/fast-multiples.js'
import { type PrimeField, primeField, readElement, writeElement } from '#verifier/algorithms/gost/field-module.js'
import { type GostCurve, gostCurves } from '#verifier/algorithms/gost/index.js'
import { jacobianModule } from '#verifier/algorithms/gost/jacobian-module.js'
import { multipleOfBase } from '#verifier/algorithms/gost/multiples.js'
import { plainSum, toAffine } from '#verifier/algorithms/gost/point-arithmetic.js'
import { COMBINATIONS } from '#verifier/algorithms/gost/point-operations.js'
import { signedDigits } from '#verifier/algorithms/gost/signed-digits.js'
import { standardExamples } from './standard-examples.js'

const numbersBelow = (limit: bigint): fc.Arbitrary<bigint> =>
  fc.oneof(
    { arbitrary: fc.bigInt({ min: 0n, max: limit - 1n }), weight: 3 },
    fc.constantFrom(0n, 1n, 2n, limit / 2n, limit - 2n, limit - 1n),
    fc.nat(500).map((shift) => 2n ** BigInt(shift) % limit),
  )

describe('signed digits', () => {
  it('add up to the factor, odd, small and far apart', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 512n }), fc.integer({ min: 2, max: 8 }), (factor, width) => {
        const digits = [...signedDigits(factor, width)]
        expect(digits.reduce((sum, digit, i) => sum + BigInt(digit) * 2n ** BigInt(i), 0n)).to.equal(factor)
        const places = digits.flatMap((digit, i) => (digit === 0 ? [] : [i]))
        for (const [i, place] of places.entries()) {
          const digit = digits[place] as number
          expect(Math.abs(digit % 2)).to.equal(1)
          expect(Math.abs(digit)).to.be.below(2 ** (width - 1))
          if (i > 0) expect(place - (places[i - 1] as number)).to.be.at.least(width)
        }
      }),
    )
  })
})

describe('a prime field', () => {
  it('exists for primes near a power of two only', () => {
    const [example256, example512] = standardExamples.map(({ curve }) => primeField(curve.p))
    expect(example256?.fold).to.equal(-1073n * 64n)
    expect(example512).to.equal(undefined)
  })
})

const fastCurves: GostCurve[] = [
  ...Object.values(gostCurves),
  ...standardExamples.slice(0, 1).map(({ curve }) => curve),
]

for (const curve of fastCurves) {
  const field = primeField(curve.p) as PrimeField
  const { p } = curve

  describe(`arithmetic in WebAssembly for ${curve.name}`, () => {
    it('computes as integers do, however operations follow one another', () => {
      const { functions, view, at, length } = jacobianModule(field, curve)
      const address = (index: number) => at(0) + index * length
      const step = fc.record({
        kind: fc.constantFrom('multiply', 'square', 'combine'),
        operands: fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)),
        factors: fc.constantFrom(...COMBINATIONS),
      })
      fc.assert(
        fc.property(fc.tuple(...Array(4).fill(numbersBelow(p))), fc.array(step, { maxLength: 40 }), (start, steps) => {
          const values = start as bigint[]
          for (const [i, value] of values.entries()) writeElement(field, view, address(i), value)
          for (const { kind, operands, factors } of steps) {
            const [out, left, right] = operands
            const [a, b] = [values[left] as bigint, values[right] as bigint]
            const [k, l] = factors
            if (kind === 'multiply') functions.multiply(address(out), address(left), address(right))
            if (kind === 'square') functions.square(address(out), address(left))
            if (kind === 'combine') functions[`combine ${k} ${l}`]?.(address(out), address(left), address(right))
            const result = { multiply: a * b, square: a * a, combine: BigInt(k) * a + BigInt(l) * b }
            values[out] = (((result[kind as keyof typeof result] ?? 0n) % p) + p) % p
          }
          for (const [i, value] of values.entries()) expect(readElement(field, view, address(i))).to.equal(value)
        }),
      )
    })

    it('adds multiples as the plain formulas do, and says z = 0 when it cannot', () => {
      const fast = new FastMultiples(field, curve)
      fc.assert(
        fc.property(numbersBelow(curve.q), numbersBelow(curve.q), numbersBelow(curve.q), (baseFactor, factor, d) => {
          const point = multipleOfBase(curve, d)
          const other = point && { factor, point }
          const sum = fast.sum(baseFactor, other)
          if (sum.z === 0n) return
          expect(toAffine(curve, sum)).to.deep.equal(toAffine(curve, plainSum(curve, baseFactor, other)))
        }),
        { numRuns: 40 },
      )
    })

    it('adds multiples of a point that comes again and again, among more of them than are kept', () => {
      const fast = new FastMultiples(field, curve)
      const points = Array.from({ length: 20 }, (_, index) => multipleOfBase(curve, BigInt(index + 2)) ?? curve.base)
      fc.assert(
        fc.property(numbersBelow(curve.q), numbersBelow(curve.q), fc.nat(19), (baseFactor, factor, index) => {
          const other = { factor, point: points[index] ?? curve.base }
          const sums = Array.from({ length: 4 }, () => fast.sum(baseFactor, other)).filter(({ z }) => z !== 0n)
          if (sums.length === 0) return
          const expected = toAffine(curve, plainSum(curve, baseFactor, other))
          for (const sum of sums) expect(toAffine(curve, sum)).to.deep.equal(expected)
        }),
        { numRuns: 60 },
      )
    })

    it('needs the plain formulas for no ordinary sum', () => {
      const fast = new FastMultiples(field, curve)
      const point = multipleOfBase(curve, curve.q / 3n) ?? curve.base
      for (let i = 1n; i <= 20n; i += 1n) {
        expect(fast.sum(curve.q / (i + 4n), { factor: curve.q / (i + 7n), point }).z).to.not.equal(0n)
      }
    })
  })
}
