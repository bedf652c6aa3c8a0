import type { GostCurve, GostPoint } from '#verifier/algorithms/gost/index.js'

/** Verification as the standard words it, in affine coordinates with an inversion for each addition: the yardstick. */
export function naiveVerify(curve: GostCurve, key: GostPoint, e: bigint, r: bigint, s: bigint): boolean {
  const { p, q, a } = curve
  type Point = GostPoint | undefined

  function add(left: Point, right: Point): Point {
    if (!left || !right) return left ?? right
    if (left.x === right.x && (left.y + right.y) % p === 0n) return undefined
    const [rise, run] =
      left.x === right.x ? [3n * left.x * left.x + a, 2n * left.y] : [right.y - left.y, right.x - left.x]
    const slope = modulo(rise * inverse(run, p), p)
    const x = modulo(slope * slope - left.x - right.x, p)
    return { x, y: modulo(slope * (left.x - x) - left.y, p) }
  }
  function multiply(factor: bigint, point: GostPoint): Point {
    let sum: Point
    for (const bit of factor.toString(2)) {
      sum = add(sum, sum)
      if (bit === '1') sum = add(sum, point)
    }
    return sum
  }

  const v = inverse(e, q)
  const point = add(multiply((s * v) % q, curve.base), multiply(modulo(-r * v, q), key))
  return point !== undefined && point.x % q === r
}

const modulo = (value: bigint, modulus: bigint): bigint => ((value % modulus) + modulus) % modulus

function inverse(value: bigint, modulus: bigint): bigint {
  let [high, low, before, coefficient] = [modulus, modulo(value, modulus), 0n, 1n]
  while (low > 0n) {
    const quotient = high / low
    ;[high, low, before, coefficient] = [low, high % low, coefficient, before - quotient * coefficient]
  }
  return modulo(before, modulus)
}
