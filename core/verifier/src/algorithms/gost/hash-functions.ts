import { type Code, call, i32, i64, local, repeatWhile, type WasmFunction } from './web-assembly.js'

/** `add(to, value)`: addition of numbers of that many 64-bit words, modulo their width. */
export function addition(words: number): WasmFunction & { name: 'add' } {
  const [to, value, carry, addend, total] = [0, 1, 2, 3, 4]
  const word = (index: number): Code[] => [
    local.set(addend, i64.load(8 * index, local.get(value))),
    local.set(total, i64.add(i64.load(8 * index, local.get(to)), local.get(addend))),
    i64.store(8 * index, local.get(to), i64.add(local.get(total), local.get(carry))),
    // Carry out: the total is below the addend, or all ones when a carry came in. Only the last step waits for the word before.
    local.set(
      carry,
      i64.or(
        i64.extend(i64.below(local.get(total), local.get(addend))),
        i64.and(local.get(carry), i64.extend(i64.equal(local.get(total), i64.const(-1n)))),
      ),
    ),
  ]
  return {
    name: 'add',
    parameters: 2,
    locals: [i64.type, i64.type, i64.type],
    body: [...Array(words).keys()].flatMap(word),
  }
}

/** How the blocks of a hash are taken in: indices of the module's functions and addresses of its values. */
export interface Absorption {
  readonly block: number
  /** The compression function, and what it takes besides the block's address. */
  readonly compress: readonly [index: number, ...operands: number[]]
  readonly add: number
  readonly counter: number
  readonly bits: number
  readonly sum: number
}

/** `absorb(at, end)`: takes in the whole blocks that stand there, at least one: compresses, counts bits, sums up. */
export function absorption(hash: Absorption): WasmFunction & { name: 'absorb' } {
  const [at, end] = [0, 1]
  const [compress, ...operands] = hash.compress
  return {
    name: 'absorb',
    parameters: 2,
    body: [
      repeatWhile(
        i32.below(local.get(at), local.get(end)),
        call(compress, local.get(at), ...operands.map((operand) => i32.const(operand))),
        call(hash.add, i32.const(hash.counter), i32.const(hash.bits)),
        call(hash.add, i32.const(hash.sum), local.get(at)),
        local.set(at, i32.add(local.get(at), i32.const(hash.block))),
      ),
    ],
  }
}
