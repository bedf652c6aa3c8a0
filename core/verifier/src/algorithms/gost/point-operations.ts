import { combine, elementLength, multiply, type PrimeField, square, writeElement } from './field-module.js'
import { type Code, call, i32, instantiate, local, type WasmFunction } from './web-assembly.js'

const MULTIPLY = 0
const SQUARE = 1
/** Where the linear combinations begin. */
const COMBINE = 2
/** The k and l of k * a + l * b in the formulas. */
export const COMBINATIONS = [
  [1, 1],
  [1, -1],
  [1, -2],
  [1, -8],
  [3, 3],
  [3, 1],
  [4, -1],
  [2, 0],
  [1, 0],
  [-1, 0],
  [-1, -1],
] as const
/** Room for 400 points. */
const PAGES = 5

/** Elements that the formulas work in, from the start of the memory; a constant of the curve is behind them. */
const SCRATCH = 8

/** The formulas' way to write: operations on addresses of elements. */
export function operations(field: PrimeField) {
  const element = (index: number): Code => i32.const(index * elementLength(field))
  const part = (point: number, index: number): Code =>
    i32.add(local.get(point), i32.const(index * elementLength(field)))
  return {
    scratch: [...Array(SCRATCH).keys()].map(element) as [Code, Code, Code, Code, Code, Code, Code, Code],
    constant: element(SCRATCH),
    part,
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

/**
 * The formulas of one curve with the arithmetic that they call, and a constant of the curve. The memory has room for
 * 400 points, of `parts` elements each; `at` tells their addresses.
 */
export function pointModule<Name extends string>(
  field: PrimeField,
  parts: number,
  constant: bigint,
  formulas: readonly (WasmFunction & { readonly name: Name })[],
) {
  const length = elementLength(field)
  const first = (SCRATCH + 1) * length
  const { memory, functions } = instantiate<Name | 'multiply' | 'square' | `combine ${number} ${number}`>(PAGES, [
    multiply(field),
    square(field),
    ...COMBINATIONS.map(([k, l]) => combine(field, k, l)),
    ...formulas,
  ])
  const view = new DataView(memory.buffer)
  writeElement(field, view, SCRATCH * length, constant)
  return { memory, view, functions, length, at: (index: number) => first + index * parts * length }
}
