import { type Columns, columnsOf, mixed, squared, total, upTo } from './product-columns.js'
import { type Code, i64, local, type WasmFunction } from './web-assembly.js'

/**
 * Arithmetic modulo p = 2^n - c with a small c, which may be negative. An element is a row of 64-bit limbs of 29 bits,
 * lowest first, whose value is right modulo p but not unique: limbs stay within a few units of [0, 2^29), so that a
 * column of up to 18 products fits into 63 bits; the overflow of the row is multiplied by `fold` and added back.
 */
export interface PrimeField {
  readonly p: bigint
  readonly limbs: number
  /** 2^(29 * limbs) modulo p. */
  readonly fold: bigint
}

const WIDTH = 29
const WIDTH_BITS = BigInt(WIDTH)
const MAX_LIMBS = 18
const MASK = i64.const(2n ** BigInt(WIDTH) - 1n)
const limbLocals = (count: number): number[] => upTo(count).map(() => i64.type)

/** Octets of an element in memory. */
export const elementLength = ({ limbs }: PrimeField): number => 8 * limbs

/**
 * The field of a prime so close to a power of two that no sum below overflows: `fold` is multiplied by carries of 34 bits.
 * Undefined for another prime.
 */
export function primeField(p: bigint): PrimeField | undefined {
  const bits = p.toString(2).length
  for (const n of [bits, bits - 1]) {
    const limbs = Math.ceil((n + 1) / WIDTH)
    const fold = (2n ** BigInt(n) - p) * 2n ** BigInt(WIDTH * limbs - n)
    if (limbs >= 3 && limbs <= MAX_LIMBS && BigInt.asIntN(28, fold) === fold) return { p, limbs, fold }
  }
  return undefined
}

/** Writes an integer from [0, p) as an element. */
export function writeElement({ limbs }: PrimeField, view: DataView, address: number, value: bigint): void {
  let rest = value
  for (let limb = 0; limb < limbs; limb += 1) {
    view.setBigInt64(address + 8 * limb, BigInt.asUintN(WIDTH, rest), true)
    rest >>= WIDTH_BITS
  }
}

/** The integer from [0, p) that an element stands for. */
export function readElement({ p, limbs }: PrimeField, view: DataView, address: number): bigint {
  let value = 0n
  for (let limb = limbs - 1; limb >= 0; limb -= 1) {
    value = (value << WIDTH_BITS) + view.getBigInt64(address + 8 * limb, true)
  }
  const rest = value % p
  return rest < 0n ? rest + p : rest
}

/** Instructions over a set of locals: two operands, a result of twice their limbs and an accumulator, after the parameters. */
function rows(field: PrimeField, parameters: number) {
  const { limbs } = field
  const [left, right, result] = [parameters, parameters + limbs, parameters + 2 * limbs]
  const accumulator = parameters + 4 * limbs
  const read = (row: number, limb: number): Code => local.get(row + limb)
  /** Moves the low bits of the accumulator to a limb of the result; the signed rest stays as the carry. */
  const shed = (limb: number): Code[] => [
    local.set(result + limb, i64.and(local.get(accumulator), MASK)),
    local.set(accumulator, i64.shrSigned(local.get(accumulator), i64.const(BigInt(WIDTH)))),
  ]
  const gather = (...terms: readonly Code[]): Code => local.set(accumulator, total(terms))
  const carry = local.get(accumulator)
  const load = (row: number, address: number): Code[] =>
    upTo(limbs).map((limb) => local.set(row + limb, i64.load(8 * limb, local.get(address))))
  return {
    left,
    right,
    result,
    carry,
    read,
    shed,
    gather,
    load,
    locals: 4 * limbs + 1,
    /** Folds the overflow in the accumulator back into the row, and stores the row at the address in local 0. */
    settle: (): Code[] => [
      gather(read(result, 0), i64.mul(carry, i64.const(field.fold))),
      ...shed(0),
      gather(read(result, 1), carry),
      ...shed(1),
      local.set(result + 2, i64.add(read(result, 2), carry)),
      ...upTo(limbs).map((limb) => i64.store(8 * limb, local.get(0), read(result, limb))),
    ],
  }
}

/**
 * Reduces the column sums and stores the element: the upper columns become limbs, whose multiples by `fold` join the lower
 * columns. So each chain of carries is half a product long, and both overlap. The carry is added last, so that the other
 * additions need not wait for it.
 */
function reduceColumns(field: PrimeField, row: ReturnType<typeof rows>, { column }: Columns): Code[] {
  const { limbs, fold } = field
  const { gather, carry, shed, read, result } = row
  const top = 2 * limbs - 1
  const carried = (first: boolean): Code[] => (first ? [] : [carry])
  return [
    ...upTo(limbs - 1).flatMap((limb) => [gather(column(limbs + limb), ...carried(limb === 0)), ...shed(limbs + limb)]),
    local.set(result + top, carry),
    ...upTo(limbs).flatMap((limb) => [
      gather(column(limb), i64.mul(read(result, limbs + limb), i64.const(fold)), ...carried(limb === 0)),
      ...shed(limb),
    ]),
    ...row.settle(),
  ]
}

/** `multiply(out, a, b)`; here and below `out` may be one of the operands. */
export function multiply(field: PrimeField): WasmFunction & { name: 'multiply' } {
  const row = rows(field, 3)
  const columns = columnsOf(field.limbs, mixed, row.left, row.right, 3 + row.locals)
  return {
    name: 'multiply',
    parameters: 3,
    locals: limbLocals(row.locals + columns.locals),
    body: [
      ...row.load(row.left, 1),
      ...row.load(row.right, 2),
      ...columns.before,
      ...reduceColumns(field, row, columns),
    ],
  }
}

/** `square(out, a)`. */
export function square(field: PrimeField): WasmFunction & { name: 'square' } {
  const row = rows(field, 2)
  const { left, right, read } = row
  const columns = columnsOf(field.limbs, squared, left, right, 2 + row.locals)
  const doubled = upTo(field.limbs).map((limb) => local.set(right + limb, i64.shl(read(left, limb), i64.const(1n))))
  return {
    name: 'square',
    parameters: 2,
    locals: limbLocals(row.locals + columns.locals),
    body: [...row.load(left, 1), ...doubled, ...columns.before, ...reduceColumns(field, row, columns)],
  }
}

/**
 * `combine(out, a, b)`: k * a + l * b for integers k and l up to 8. Each limb carries into the next one only, and the highest
 * into the lowest, so the limbs are independent; what remains above 29 bits is within the input range of `multiply`.
 */
export function combine(
  field: PrimeField,
  k: number,
  l: number,
): WasmFunction & { name: `combine ${number} ${number}` } {
  const { limbs, fold } = field
  const [out, a, b] = [local.get(0), local.get(1), local.get(2)]
  const sum = (limb: number): number => 3 + limb
  const term = (factor: number, address: Code, limb: number): Code =>
    i64.mul(i64.load(8 * limb, address), i64.const(BigInt(factor)))
  const carry = (limb: number): Code => i64.shrSigned(local.get(sum(limb)), i64.const(BigInt(WIDTH)))
  return {
    name: `combine ${k} ${l}`,
    parameters: 3,
    locals: limbLocals(limbs),
    body: [
      ...upTo(limbs).map((limb) =>
        local.set(sum(limb), l === 0 ? term(k, a, limb) : i64.add(term(k, a, limb), term(l, b, limb))),
      ),
      ...upTo(limbs).map((limb) =>
        i64.store(
          8 * limb,
          out,
          i64.add(
            i64.and(local.get(sum(limb)), MASK),
            limb > 0 ? carry(limb - 1) : i64.mul(carry(limbs - 1), i64.const(fold)),
          ),
        ),
      ),
    ],
  }
}
