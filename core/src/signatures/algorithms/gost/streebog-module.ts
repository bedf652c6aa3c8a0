import { absorption, addition } from './hash-functions.js'
import { LINEAR_ROWS, ROUND_CONSTANTS, SUBSTITUTION } from './streebog-constants.js'
import { type Code, call, i32, i64, instantiate, local, type WasmFunction } from './web-assembly.js'

/** Octets of a block, and of every value the compression works on. */
export const BLOCK = 64
const WORDS = 8

/** Where things stand in the module's memory. Values are little-endian, as in the octet strings hashed in practice. */
const TABLES = 0
const CONSTANTS = TABLES + 8 * 256 * 8
/** The hash value h, the number of bits hashed N and the sum of blocks Sigma follow one another. */
export const STATE = CONSTANTS + 12 * BLOCK
export const HASH = STATE
export const COUNTER = STATE + BLOCK
export const SUM = STATE + 2 * BLOCK
export const STATE_LENGTH = 3 * BLOCK
export const ZERO = STATE + STATE_LENGTH
/** The number of bits in a block; `finish` puts the length of the last one here. */
export const BLOCK_BITS = ZERO + BLOCK
export const LENGTH_BITS = BLOCK_BITS + BLOCK
const KEY = LENGTH_BITS + BLOCK
const INNER = KEY + BLOCK
export const INPUT = 32 * 1024
export const INPUT_LENGTH = 64 * 1024
const PAGES = 2

/**
 * `lps(left, right, out)`: out = L(P(S(left ^ right))). The transposition P makes octet i of every word into word i, so
 * each word of the result is the sum of eight table entries, one for each word of the operand.
 */
function lps(): WasmFunction & { name: 'lps' } {
  const [left, right, out, firstWord] = [0, 1, 2, 3]
  const words = [...Array(WORDS).keys()]
  const entry = (word: number, octet: number): Code => {
    const value = local.get(firstWord + word)
    const position = octet === 0 ? i64.shl(value, i64.const(3n)) : i64.shr(value, i64.const(BigInt(8 * octet - 3)))
    return i64.load(TABLES + word * 2048, i32.and(i32.wrap(position), i32.const(0xff << 3)))
  }
  return {
    name: 'lps',
    parameters: 3,
    locals: words.map(() => i64.type),
    body: [
      ...words.map((word) =>
        local.set(firstWord + word, i64.xor(i64.load(8 * word, local.get(left)), i64.load(8 * word, local.get(right)))),
      ),
      ...words.map((octet) =>
        i64.store(
          8 * octet,
          local.get(out),
          words.map((word) => entry(word, octet)).reduce((a, b) => i64.xor(a, b)),
        ),
      ),
    ],
  }
}
const LPS = 0

/** `compress(message, counter)`: h = E(LPS(h ^ counter), message) ^ h ^ message (RFC 6986 section 8). */
function compress(): WasmFunction & { name: 'compress' } {
  const [message, counter] = [local.get(0), local.get(1)]
  const [key, inner, hash] = [i32.const(KEY), i32.const(INNER), i32.const(HASH)]
  const rounds = ROUND_CONSTANTS.flatMap((_, round) => [
    call(LPS, key, round === 0 ? message : inner, inner),
    call(LPS, key, i32.const(CONSTANTS + round * BLOCK), key),
  ])
  const sum = (word: number): Code =>
    [hash, key, inner, message].map((address) => i64.load(8 * word, address)).reduce((a, b) => i64.xor(a, b))
  return {
    name: 'compress',
    parameters: 2,
    body: [
      call(LPS, hash, counter, key),
      ...rounds,
      ...[...Array(WORDS).keys()].map((word) => i64.store(8 * word, hash, sum(word))),
    ],
  }
}
const COMPRESS = 1
const ADD = 2

/** S and L in one step: entry v of table j is the image of pi(v) standing as octet j of a word. */
function writeTables(view: DataView): void {
  for (let octet = 0; octet < WORDS; octet += 1) {
    SUBSTITUTION.forEach((substitute, value) => {
      let image = 0n
      for (let bit = 0; bit < 8; bit += 1) {
        if (substitute & (1 << bit)) image ^= LINEAR_ROWS[63 - (8 * octet + bit)] ?? 0n
      }
      view.setBigUint64(TABLES + octet * 2048 + value * 8, image, true)
    })
  }
}

/** The compiled module with its tables and constants in place. */
export function createStreebogModule() {
  const { memory, functions } = instantiate(PAGES, [
    lps(),
    compress(),
    addition(BLOCK / 8),
    absorption({ block: BLOCK, compress: [COMPRESS, COUNTER], add: ADD, counter: COUNTER, bits: BLOCK_BITS, sum: SUM }),
  ])
  const view = new DataView(memory.buffer)
  writeTables(view)
  ROUND_CONSTANTS.forEach((constant, index) => {
    memory.set(Buffer.from(constant, 'hex').reverse(), CONSTANTS + index * BLOCK)
  })
  view.setUint32(BLOCK_BITS, 8 * BLOCK, true)
  return { memory, view, functions }
}
