import { C3, SUBSTITUTION } from './gost34311-constants.js'
import { absorption, addition } from './hash-functions.js'
import { type Code, call, i32, i64, instantiate, local, type WasmFunction } from './web-assembly.js'

/** Octets of a block, of the hash and of the counters. */
export const BLOCK = 32

/** Memory layout, all little-endian. */
const TABLES = 0
/** The hash value H, the sum of blocks and the number of bits hashed follow one another. */
export const STATE = 4 * 256 * 4
export const HASH = STATE
export const SUM = STATE + BLOCK
export const COUNTER = STATE + 2 * BLOCK
export const STATE_LENGTH = 3 * BLOCK
/** The number of bits in a block; `finish` puts the length of the last one here. */
export const BLOCK_BITS = STATE + STATE_LENGTH
export const LENGTH_BITS = BLOCK_BITS + BLOCK
const KEYS = LENGTH_BITS + BLOCK
const ENCRYPTED = KEYS + 4 * BLOCK
export const INPUT = 8 * 1024
export const INPUT_LENGTH = 48 * 1024
const PAGES = 1

/** Locals that hold four words. */
type Words = readonly [number, number, number, number]

/** Not imported: browsers load only the modules of this folder. */
function itemAt(list: readonly number[], index: number): number {
  const item = list[index]
  if (item === undefined) throw new RangeError(`There is no item ${index} among ${list.length}`)
  return item
}

const upTo = (count: number): number[] => [...Array(count).keys()]

/** `keys(message)`: the four keys of a step (RFC 5831 section 6.1) out of H and the message. */
function keys(): WasmFunction & { name: 'keys' } {
  const [message, mixed] = [local.get(0), 9]
  // Instead of moving the words of U and V, the assignment of words to locals is rotated.
  let u: Words = [1, 2, 3, 4]
  let v: Words = [5, 6, 7, 8]
  const body: Code[] = upTo(4).flatMap((word) => [
    local.set(itemAt(u, word), i64.load(8 * word, i32.const(HASH))),
    local.set(itemAt(v, word), i64.load(8 * word, message)),
  ])
  /** A(y4 y3 y2 y1) = (y1 ^ y2) y4 y3 y2. */
  const turn = ([first, second, third, fourth]: Words): Words => {
    body.push(local.set(first, i64.xor(local.get(first), local.get(second))))
    return [second, third, fourth, first]
  }
  for (const step of upTo(4)) {
    if (step > 0) {
      u = turn(u)
      v = turn(turn(v))
    }
    if (step === 2) {
      for (const [i, constant] of C3.entries()) {
        const word = itemAt(u, i)
        body.push(local.set(word, i64.xor(local.get(word), i64.const(constant))))
      }
    }
    for (const i of upTo(4)) {
      body.push(local.set(mixed + i, i64.xor(local.get(itemAt(u, i)), local.get(itemAt(v, i)))))
    }
    // P: octet j of the i-th word becomes octet i of the j-th 32-bit word of the key.
    for (const j of upTo(8)) {
      const octets = upTo(4).map((i) =>
        i32.shl(
          i32.and(i32.wrap(i64.shr(local.get(mixed + i), i64.const(BigInt(8 * j)))), i32.const(0xff)),
          i32.const(8 * i),
        ),
      )
      body.push(
        i32.store(
          KEYS + step * BLOCK + 4 * j,
          i32.const(0),
          octets.reduce((a, b) => i32.or(a, b)),
        ),
      )
    }
  }
  return { name: 'keys', parameters: 1, locals: upTo(12).map(() => i64.type), body }
}
const KEYS_FUNCTION = 0

/** `encrypt()`: every 64-bit word of H under its own key (GOST 28147-89, 32 rounds), four chains side by side. */
function encrypt(): WasmFunction & { name: 'encrypt' } {
  const [input] = [8]
  const body: Code[] = upTo(8).map((half) => local.set(half, i32.load(HASH + 4 * half, i32.const(0))))
  for (const round of upTo(32)) {
    const keyWord = round < 24 ? round % 8 : 31 - round
    for (const chain of upTo(4)) {
      const [used, changed] = round % 2 === 0 ? [2 * chain, 2 * chain + 1] : [2 * chain + 1, 2 * chain]
      const key = i32.load(KEYS + chain * BLOCK + 4 * keyWord, i32.const(0))
      const entry = (octet: number): Code => {
        const sum = local.get(input + chain)
        const position = octet === 0 ? i32.shl(sum, i32.const(2)) : i32.shr(sum, i32.const(8 * octet - 2))
        return i32.load(TABLES + octet * 1024, i32.and(position, i32.const(0xff << 2)))
      }
      body.push(local.set(input + chain, i32.add(local.get(used), key)))
      body.push(
        local.set(
          changed,
          [local.get(changed), ...upTo(4).map(entry)].reduce((a, b) => i32.xor(a, b)),
        ),
      )
    }
  }
  for (const chain of upTo(4)) {
    // The last round does not exchange the halves.
    body.push(i32.store(ENCRYPTED + 8 * chain, i32.const(0), local.get(2 * chain + 1)))
    body.push(i32.store(ENCRYPTED + 8 * chain + 4, i32.const(0), local.get(2 * chain)))
  }
  return { name: 'encrypt', parameters: 0, locals: upTo(12).map(() => i32.type), body }
}
const ENCRYPT = 1

/** `mix(message)`: H = psi^61(H ^ psi(message ^ psi^12(encrypted))), psi being a shift register of sixteen 16-bit words. */
function mix(): WasmFunction & { name: 'mix' } {
  const message = local.get(0)
  let words = upTo(16).map((word) => 1 + word)
  const body: Code[] = words.map((word, i) => local.set(word, i32.load16(ENCRYPTED + 2 * i, i32.const(0))))
  const psi = (times: number): void => {
    for (const _ of upTo(times)) {
      const [lowest = 0, ...others] = words
      const taps = [0, 1, 2, 3, 12, 15].map((i) => local.get(itemAt(words, i)))
      body.push(
        local.set(
          lowest,
          taps.reduce((a, b) => i32.xor(a, b)),
        ),
      )
      words = [...others, lowest]
    }
  }
  const add = (base: number, address: Code): void => {
    words.forEach((word, i) => {
      body.push(local.set(word, i32.xor(local.get(word), i32.load16(base + 2 * i, address))))
    })
  }
  psi(12)
  add(0, message)
  psi(1)
  add(HASH, i32.const(0))
  psi(61)
  for (const pair of upTo(8)) {
    const [low, high] = [local.get(itemAt(words, 2 * pair)), local.get(itemAt(words, 2 * pair + 1))]
    body.push(i32.store(HASH + 4 * pair, i32.const(0), i32.or(low, i32.shl(high, i32.const(16)))))
  }
  return { name: 'mix', parameters: 1, locals: words.map(() => i32.type), body }
}
const MIX = 2

/** `compress(message)`: one step of the hash. */
const compress = (): WasmFunction & { name: 'compress' } => ({
  name: 'compress',
  parameters: 1,
  body: [call(KEYS_FUNCTION, local.get(0)), call(ENCRYPT), call(MIX, local.get(0))],
})
const COMPRESS = 3
const ADD = 4

/** Substitution and rotation by 11 bits in one step: entry v of table j is what octet j with value v contributes. */
function writeTables(view: DataView): void {
  for (const octet of upTo(4)) {
    const [low = [], high = []] = SUBSTITUTION.slice(2 * octet)
    for (const value of upTo(256)) {
      const word = (((high[value >> 4] ?? 0) << 4) | (low[value & 15] ?? 0)) << (8 * octet)
      view.setInt32(TABLES + octet * 1024 + value * 4, (word << 11) | (word >>> 21), true)
    }
  }
}

/** The compiled module with its tables in place. */
export function createGost34311Module() {
  const { memory, functions } = instantiate(PAGES, [
    keys(),
    encrypt(),
    mix(),
    compress(),
    addition(BLOCK / 8),
    absorption({ block: BLOCK, compress: [COMPRESS], add: ADD, counter: COUNTER, bits: BLOCK_BITS, sum: SUM }),
  ])
  const view = new DataView(memory.buffer)
  writeTables(view)
  view.setUint32(BLOCK_BITS, 8 * BLOCK, true)
  return { memory, view, functions }
}
