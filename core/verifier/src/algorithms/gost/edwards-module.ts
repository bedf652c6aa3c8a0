import type { CurvePoints } from './curve-points.js'
import type { GostCurve, GostPoint } from './curves.js'
import { type PrimeField, readElement, writeElement } from './field-module.js'
import { inverse, modulo, power } from './integers.js'
import type { Jacobian } from './point-arithmetic.js'
import { operations, pointModule } from './point-operations.js'
import { local, type WasmFunction } from './web-assembly.js'

/** The sum has X, Y, Z; an entry has y - x, y + x, 2dt, -2dt and 2z, a point's x, y, z and t = xy/z in this order. */
const PARTS = 5
/** Where the sum and the neutral point (0, 1) are, before the entries. */
const SUM = 0
const NEUTRAL = 1
const FIRST = 2

/** `double(sum)` in place (Hisil and others 2008, section 3.3); it leaves the factors of T in scratch. */
function double(field: PrimeField): WasmFunction & { name: 'double' } {
  const { scratch, point, mul, sqr, mix } = operations(field)
  const [e, h, a, b, f] = scratch
  const [x, y, z] = point(0)
  return {
    name: 'double',
    parameters: 1,
    body: [
      mix(e, x, 1, y, 1),
      sqr(e, e),
      sqr(a, x),
      sqr(b, y),
      sqr(f, z),
      mix(h, a, -1, b, -1),
      mix(e, e, 1, h, 1),
      mix(b, b, 1, a, -1),
      mix(f, b, 1, f, -2),
      mul(x, e, f),
      mul(y, b, h),
      mul(z, f, b),
    ],
  }
}

/**
 * `add(sum, minus, plus, t)`: adds an entry in place (section 3.1), given by the addresses of its y - x, y + x and 2dt, the
 * first two exchanged and the last negative for the opposite.
 */
function add(field: PrimeField, name: 'add' | 'addAffine'): WasmFunction & { name: typeof name } {
  const { scratch, point, mul, mix } = operations(field)
  const [e, h, a, b, c, f] = scratch
  const [x, y, z] = point(0)
  const [minus, plus, t, otherZ] = [local.get(1), local.get(2), local.get(3), local.get(4)]
  return {
    name,
    parameters: name === 'add' ? 5 : 4,
    body: [
      mul(c, e, h),
      mul(c, c, t),
      mix(a, y, 1, x, -1),
      mul(a, a, minus),
      mix(b, y, 1, x, 1),
      mul(b, b, plus),
      name === 'add' ? mul(f, z, otherZ) : mix(f, z, 2, z, 0),
      mix(e, b, 1, a, -1),
      mix(h, b, 1, a, 1),
      mix(a, f, 1, c, -1),
      mix(b, f, 1, c, 1),
      mul(x, e, a),
      mul(y, b, h),
      mul(z, a, b),
    ],
  }
}

/** `enter(entry, sum)`: writes the sum as an entry. */
function enter(field: PrimeField): WasmFunction & { name: 'enter' } {
  const { scratch, constant, part, point, mul, mix } = operations(field)
  const [e, h] = scratch
  const [x, y, z] = point(1)
  return {
    name: 'enter',
    parameters: 2,
    body: [
      mix(part(0, 0), y, 1, x, -1),
      mix(part(0, 1), y, 1, x, 1),
      mul(part(0, 2), e, h),
      mul(part(0, 2), part(0, 2), constant),
      mix(part(0, 3), part(0, 2), -1, part(0, 2), 0),
      mix(part(0, 4), z, 2, z, 0),
    ],
  }
}

/** The Weierstrass form's x and y of a sum, and the other way round, in four coordinates X, Y, Z, T = XY/Z without a division. */
function forms({ p }: GostCurve, d: bigint) {
  const [s, t] = [modulo((1n - d) * inverse(4n, p), p), modulo((1n + d) * inverse(6n, p), p)]
  const root = power(p - d, (p + 1n) / 4n, p)
  return {
    toEdwards({ x, y }: GostPoint) {
      const w = x - t
      return { x: root * w * (w - s), y: y * (w + s), z: y * (w - s), t: root * w * (w + s) }
    },
    toJacobian(x: bigint, y: bigint, z: bigint): Jacobian {
      const [sum, difference] = [y + z, y - z]
      const scale = (x * difference) % p
      const square = (scale * x) % p
      return {
        x: modulo(((t * difference + s * sum) % p) * square, p),
        y: modulo(((((root * s) % p) * ((sum * z) % p)) % p) * ((square * difference) % p), p),
        z: modulo(scale, p),
      }
    },
  }
}

/**
 * Points of a curve that is u^2 + v^2 = 1 + d u^2 v^2 too (RFC 7836 A.2), where d is no square and p is 3 modulo 4: as
 * -x^2 + y^2 = 1 - x^2 y^2 / d with x = root u / v, y = 1 / v and root^2 = -d, whose additions are the cheapest. X, Y, Z and
 * T = XY/Z are projective coordinates of a smooth curve and sums are polynomials of them, so a sum is right or all four are 0,
 * and then stay so. T is kept as two factors, in scratch, since additions need it and doublings do not.
 */
export function edwardsPoints(field: PrimeField, curve: GostCurve, d: bigint): CurvePoints {
  const { p } = curve
  const { toEdwards, toJacobian } = forms(curve, d)
  const twice = modulo(-2n * inverse(d, p), p)
  const { memory, view, functions, at, length } = pointModule(field, PARTS, twice, [
    double(field),
    add(field, 'add'),
    add(field, 'addAffine'),
    enter(field),
  ])
  const addressOf = (entry: number, part = 0) => at(entry + FIRST) + part * length
  const writeAll = (address: number, values: readonly bigint[]) => {
    for (const [part, value] of values.entries()) {
      writeElement(field, view, address + part * length, modulo(value, p))
    }
  }
  writeAll(at(NEUTRAL), [0n, 1n, 1n])
  const points: CurvePoints = {
    write(entry, point, affine) {
      const { x, y, z, t } = toEdwards(point)
      const scale = affine ? inverse(z, p) : 1n
      const values = [y - x, y + x, twice * t, -twice * t, 2n * z]
      writeAll(
        addressOf(entry),
        values.map((value) => (value % p) * scale),
      )
    },
    writeSum: (entry) => functions.enter(addressOf(entry), at(SUM)),
    load(entry, negative) {
      memory.copyWithin(at(SUM), at(NEUTRAL), at(NEUTRAL) + 3 * length)
      memory.fill(0, 0, 2 * length)
      points.add(entry, negative, false)
    },
    add(entry, negative, affine) {
      const [minus, plus, t] = negative ? [1, 0, 3] : [0, 1, 2]
      const operands = [at(SUM), addressOf(entry, minus), addressOf(entry, plus), addressOf(entry, t)]
      if (affine) functions.addAffine(...operands)
      else functions.add(...operands, addressOf(entry, 4))
    },
    double: () => functions.double(at(SUM)),
    read() {
      const part = (index: number) => readElement(field, view, at(SUM) + index * length)
      return toJacobian(part(0), part(1), part(2))
    },
  }
  return points
}
