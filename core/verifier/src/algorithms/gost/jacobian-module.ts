import type { CurvePoints } from './curve-points.js'
import type { GostCurve, GostPoint } from './curves.js'
import { type PrimeField, readElement, writeElement } from './field-module.js'
import { operations, pointModule } from './point-operations.js'
import { type Code, local, type WasmFunction } from './web-assembly.js'

/** A point takes four elements: x, y and z of Jacobian coordinates, and -y where it is an entry of a table. */
const PARTS = 4
/** Where the sum is, before the entries. */
const SUM = 0

/** `double(point)` in place; the point at infinity (z = 0) stays what it is. */
function double(field: PrimeField, { p, a }: GostCurve): WasmFunction & { name: 'double' } {
  const { scratch, constant, point, mul, sqr, mix } = operations(field)
  const [zz, yy, beta, alpha, other, square] = scratch
  const [x, y, z] = point(0)
  return {
    name: 'double',
    parameters: 1,
    body: [
      sqr(zz, z),
      sqr(yy, y),
      mul(beta, x, yy),
      // alpha = 3x^2 + a z^4
      ...(a === p - 3n
        ? [mix(alpha, x, 1, zz, -1), mix(other, x, 3, zz, 3), mul(alpha, alpha, other)]
        : [sqr(other, zz), mul(other, other, constant), sqr(alpha, x), mix(alpha, alpha, 3, other, 1)]),
      mul(z, y, z),
      mix(z, z, 2, z, 0),
      sqr(square, alpha),
      mix(x, square, 1, beta, -8),
      mix(other, beta, 4, x, -1),
      mul(other, alpha, other),
      sqr(yy, yy),
      mix(y, other, 1, yy, -8),
    ],
  }
}

/** What both additions end with, from h = x2 z1^2 - x1 z2^2 and r = y2 z1^3 - y1 z2^3, x1 z2^2 in `left` and y1 z2^3 in `v`. */
function sumFrom({ scratch, point, mul, sqr, mix }: ReturnType<typeof operations>, v: Code, left: Code): Code[] {
  const [h, r, , square, cube] = scratch
  const [x, y] = point(0)
  return [
    // x3 = r^2 - h^3 - 2 left h^2, y3 = r (left h^2 - x3) - v h^3
    sqr(square, h),
    mul(cube, square, h),
    mul(left, left, square),
    sqr(x, r),
    mix(x, x, 1, cube, -1),
    mix(x, x, 1, left, -2),
    mix(left, left, 1, x, -1),
    mul(left, left, r),
    mul(cube, v, cube),
    mix(y, left, 1, cube, -1),
  ]
}

/**
 * `add(to, x, y, z)`: adds a point in place. Where the two are the same point, opposites, or one of them infinity, the
 * formulas give z = 0, and every later sum keeps it: whoever finds z = 0 in the end computes anew with the plain formulas.
 */
function add(field: PrimeField): WasmFunction & { name: 'add' } {
  const write = operations(field)
  const { scratch, point, mul, sqr, mix } = write
  const [h, r, left, right, , v] = scratch
  const [x, y, z] = point(0)
  const [otherX, otherY, otherZ] = [local.get(1), local.get(2), local.get(3)]
  return {
    name: 'add',
    parameters: 4,
    body: [
      sqr(right, otherZ),
      mul(left, x, right),
      mul(right, right, otherZ),
      mul(v, y, right),
      sqr(right, z),
      mul(h, otherX, right),
      mix(h, h, 1, left, -1),
      mul(right, right, z),
      mul(r, otherY, right),
      mix(r, r, 1, v, -1),
      mul(z, z, otherZ),
      mul(z, z, h),
      ...sumFrom(write, v, left),
    ],
  }
}

/** `addAffine(to, x, y)`: as `add`, of a point with z = 1. */
function addAffine(field: PrimeField): WasmFunction & { name: 'addAffine' } {
  const write = operations(field)
  const { scratch, point, mul, sqr, mix } = write
  const [h, r, left, right] = scratch
  const [x, y, z] = point(0)
  const [otherX, otherY] = [local.get(1), local.get(2)]
  return {
    name: 'addAffine',
    parameters: 3,
    body: [
      sqr(right, z),
      mul(h, otherX, right),
      mix(h, h, 1, x, -1),
      mul(right, right, z),
      mul(r, otherY, right),
      mix(r, r, 1, y, -1),
      mul(z, z, h),
      mix(left, x, 1, x, 0),
      ...sumFrom(write, y, left),
    ],
  }
}

/** `negate(out, a)` of elements. */
function negate(field: PrimeField): WasmFunction & { name: 'negate' } {
  const { mix } = operations(field)
  return { name: 'negate', parameters: 2, body: [mix(local.get(0), local.get(1), -1, local.get(1), 0)] }
}

/** The arithmetic of the points of one curve. */
export const jacobianModule = (field: PrimeField, curve: GostCurve) =>
  pointModule(field, PARTS, curve.a, [double(field, curve), add(field), addAffine(field), negate(field)])

/** Points of any curve in Jacobian coordinates. */
export function jacobianPoints(field: PrimeField, curve: GostCurve): CurvePoints {
  const { memory, view, functions, at, length } = jacobianModule(field, curve)
  const addressOf = (entry: number) => at(entry + 1)
  const copy = (to: number, from: number, elements: number) => memory.copyWithin(to, from, from + elements * length)
  const ordinate = (entry: number, negative: boolean) => addressOf(entry) + (negative ? 3 : 1) * length
  const addOpposite = (entry: number) => functions.negate(addressOf(entry) + 3 * length, addressOf(entry) + length)
  return {
    write(entry: number, { x, y }: GostPoint) {
      ;[x, y, 1n].forEach((value, part) => {
        writeElement(field, view, addressOf(entry) + part * length, value)
      })
      addOpposite(entry)
    },
    writeSum(entry) {
      copy(addressOf(entry), at(SUM), 3)
      addOpposite(entry)
    },
    load(entry, negative) {
      copy(at(SUM), addressOf(entry), 3)
      copy(at(SUM) + length, ordinate(entry, negative), 1)
    },
    add(entry, negative, affine) {
      const x = addressOf(entry)
      if (affine) functions.addAffine(at(SUM), x, ordinate(entry, negative))
      else functions.add(at(SUM), x, ordinate(entry, negative), x + 2 * length)
    },
    double: () => functions.double(at(SUM)),
    read() {
      const part = (index: number) => readElement(field, view, at(SUM) + index * length)
      return { x: part(0), y: part(1), z: part(2) }
    },
  }
}
