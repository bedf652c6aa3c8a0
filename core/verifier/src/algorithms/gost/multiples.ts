import type { GostCurve, GostPoint } from './curves.js'
import { FastMultiples } from './fast-multiples.js'
import { primeField } from './field-module.js'
import { type Jacobian, type Multiple, plainSum, toAffine } from './point-arithmetic.js'

const enginesByCurve = new WeakMap<GostCurve, FastMultiples | 'plain'>()

/** Made on the curve's first use. A curve whose prime is not near a power of two is computed plainly. */
function engineOf(curve: GostCurve): FastMultiples | 'plain' {
  let engine = enginesByCurve.get(curve)
  if (!engine) {
    const field = primeField(curve.p)
    engine = field ? new FastMultiples(field, curve) : 'plain'
    enginesByCurve.set(curve, engine)
  }
  return engine
}

/** baseFactor * base point + other.factor * other.point; factors are not negative. */
export function sumOfMultiples(curve: GostCurve, baseFactor: bigint, other?: Multiple): Jacobian {
  const engine = engineOf(curve)
  if (engine !== 'plain') {
    const sum = engine.sum(baseFactor, other)
    if (sum.z !== 0n) return sum
  }
  // Infinity, or two points met for which the fast formulas do not hold: rare, and reached by forged input only.
  return plainSum(curve, baseFactor, other)
}

/** A multiple of the base point; undefined for the point at infinity. */
export const multipleOfBase = (curve: GostCurve, factor: bigint): GostPoint | undefined =>
  toAffine(curve, sumOfMultiples(curve, factor))
