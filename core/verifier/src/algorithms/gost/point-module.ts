import type { GostCurve } from './curves.js'
import { combine, elementLength, multiply, type PrimeField, square, writeElement } from './field-module.js'
import { type Code, call, i32, instantiate, local, type WasmFunction } from './web-assembly.js'

const MULTIPLY = 0
const SQUARE = 1
/** Where the linear combinations begin. */
const COMBINE = 2
/** The k and l of k * a + l * b in the formulas. */
export const COMBINATIONS = [
  [1, -1],
  [1, -2],
  [1, -8],
  [3, 3],
  [3, 1],
  [4, -1],
  [2, 0],
  [1, 0],
  [-1, 0],
] as const
const PAGES = 1

/** Elements that the formulas work in, from the start of the memory. */
const SCRATCH = 8
/** A point takes four elements: x, y and z of Jacobian coordinates, and -y where it is an entry of a table. */
const PARTS = 4

/** The formulas' way to write: operations on addresses of elements. */
function operations(field: PrimeField, a: number) {
  const scratch = [...Array(SCRATCH).keys()].map((index) => i32.const(index * elementLength(field)))
  const part = (point: number, index: number): Code =>
    i32.add(local.get(point), i32.const(index * elementLength(field)))
  return {
    scratch: scratch as [Code, Code, Code, Code, Code, Code, Code, Code],
    a: i32.const(a),
    point: (parameter: number): [x: Code, y: Code, z: Code] => [
      part(parameter, 0),
      part(parameter, 1),
      part(parameter, 2),
    ],
    mul: (out: Code, left: Code, right: Code): Code => call(MULTIPLY, out, left, right),
    sqr: (out: Code, operand: Code): Code => call(SQUARE, out, operand),
    mix: (out: Code, left: Code, k: number, right: Code, l: number): Code =>
      call(COMBINE + COMBINATIONS.findIndex(([one, other]) => one === k && other === l), out, left, right),
  }
}

/** `double(point)` in place; the point at infinity (z = 0) stays what it is. */
function double(field: PrimeField, { p, a }: GostCurve, aAddress: number): WasmFunction & { name: 'double' } {
  const { scratch, point, mul, sqr, mix, a: curveA } = operations(field, aAddress)
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
        : [sqr(other, zz), mul(other, other, curveA), sqr(alpha, x), mix(alpha, alpha, 3, other, 1)]),
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
  const write = operations(field, 0)
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
  const write = operations(field, 0)
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
  const { mix } = operations(field, 0)
  return { name: 'negate', parameters: 2, body: [mix(local.get(0), local.get(1), -1, local.get(1), 0)] }
}

/** The arithmetic of one curve's points, in a memory with room for a hundred of them; `at` tells their addresses. */
export function createPointModule(field: PrimeField, curve: GostCurve) {
  const length = elementLength(field)
  const a = SCRATCH * length
  const first = a + length
  const { memory, functions } = instantiate(PAGES, [
    multiply(field),
    square(field),
    ...COMBINATIONS.map(([k, l]) => combine(field, k, l)),
    double(field, curve, a),
    add(field),
    addAffine(field),
    negate(field),
  ])
  const view = new DataView(memory.buffer)
  writeElement(field, view, a, curve.a)
  return {
    memory,
    view,
    functions,
    length,
    pointLength: PARTS * length,
    at: (index: number) => first + index * PARTS * length,
  }
}
