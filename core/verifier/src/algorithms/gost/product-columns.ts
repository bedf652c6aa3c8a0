import { type Code, i64, local } from './web-assembly.js'

export const upTo = (count: number): number[] => [...Array(count).keys()]
export const total = (terms: readonly Code[]): Code => terms.reduce((a, b) => i64.add(a, b))

/** The pairs of limbs (i, j) with i + j = index. */
const pairs = (limbs: number, index: number): [number, number][] =>
  upTo(limbs).flatMap((i) => (index - i >= 0 && index - i < limbs ? [[i, index - i] as [number, number]] : []))

/** The sum of products in one column of two rows of limbs that begin at these locals. */
type Column = (left: number, right: number, limbs: number, index: number) => Code

/** Of a product. */
export const mixed: Column = (left, right, limbs, index) =>
  total(pairs(limbs, index).map(([i, j]) => i64.mul(local.get(left + i), local.get(right + j))))

/** Of a square, where `doubled` is the row with every limb doubled: each mixed product once. */
export const squared: Column = (row, doubled, limbs, index) =>
  total(
    pairs(limbs, index)
      .filter(([i, j]) => i <= j)
      .map(([i, j]) => i64.mul(local.get((i === j ? row : doubled) + i), local.get(row + j))),
  )

/** Columns of a product, and code that computes shared values into extra locals before them. */
export interface Columns {
  readonly locals: number
  readonly before: readonly Code[]
  readonly column: (index: number) => Code
}

/** From this length on, rows are multiplied by Karatsuba's method. */
const KARATSUBA_LIMBS = 16

/**
 * Karatsuba: the middle term of (a + bX)(c + dX) is (a + b)(c + d) - ac - bd, three products instead of four. Columns of the
 * middle term may overflow 64 bits; only the result modulo 2^64 matters.
 */
export function columnsOf(limbs: number, column: Column, left: number, right: number, free: number): Columns {
  if (limbs < KARATSUBA_LIMBS || limbs % 2 === 1)
    return { locals: 0, before: [], column: (index) => column(left, right, limbs, index) }
  const half = limbs / 2
  const width = limbs - 1
  const [low, high, middle, leftSum, rightSum] = [0, width, 2 * width, 3 * width, 3 * width + half].map(
    (offset) => free + offset,
  ) as [number, number, number, number, number]
  const halves = (row: number, sum: number): Code[] =>
    upTo(half).map((limb) => local.set(sum + limb, i64.add(local.get(row + limb), local.get(row + half + limb))))
  const columns = (to: number, one: number, other: number): Code[] =>
    upTo(width).map((index) => local.set(to + index, column(one, other, half, index)))
  const at = (part: number, index: number): Code[] => (index >= 0 && index < width ? [local.get(part + index)] : [])
  return {
    locals: 3 * width + limbs,
    before: [
      ...columns(low, left, right),
      ...columns(high, left + half, right + half),
      ...halves(left, leftSum),
      ...halves(right, rightSum),
      ...columns(middle, leftSum, rightSum),
      ...upTo(width).map((index) =>
        local.set(
          middle + index,
          i64.sub(local.get(middle + index), i64.add(local.get(low + index), local.get(high + index))),
        ),
      ),
    ],
    column: (index) => total([...at(low, index), ...at(middle, index - half), ...at(high, index - limbs)]),
  }
}
