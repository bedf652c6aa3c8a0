import { absorption, addition } from './hash-functions.js'
import { LINEAR_ROWS, ROUND_CONSTANTS, SUBSTITUTION } from './streebog-constants.js'
import { type Code, i32, i64, instantiate, local, repeatWhile, type WasmFunction } from './web-assembly.js'

/** Octets of a block, and of every value the compression works on. */
export const BLOCK = 64
const WORDS = 8
const ROUNDS = 12

/** Memory layout. Values are little-endian, as in the octet strings hashed in practice. */
const TABLES = 0
/** The hash value h, the number of bits hashed N and the sum of blocks Sigma follow one another. */
export const STATE = TABLES + 8 * 256 * 8
export const HASH = STATE
export const COUNTER = STATE + BLOCK
export const SUM = STATE + 2 * BLOCK
export const STATE_LENGTH = 3 * BLOCK
export const ZERO = STATE + STATE_LENGTH
/** The number of bits in a block; `finish` puts the length of the last one here. */
export const BLOCK_BITS = ZERO + BLOCK
export const LENGTH_BITS = BLOCK_BITS + BLOCK
/** One key for each round, and the last one, which is added to its result. */
const KEYS = LENGTH_BITS + BLOCK
/** Offset from a round's key to its constant. */
const KEY_TO_CONSTANT = (ROUNDS + 1) * BLOCK
const CONSTANTS = KEYS + KEY_TO_CONSTANT
const INNER = CONSTANTS + ROUNDS * BLOCK
const PARTIAL_SUMS = INNER + BLOCK
export const INPUT = 32 * 1024
export const INPUT_LENGTH = 64 * 1024
const PAGES = 2

/** Words of an operand processed at a time, so that octets, sums and addresses fit into CPU registers. */
const WORDS_AT_ONCE = 4
const EVERY_WORD = [...Array(WORDS).keys()]

/** A value of 64 octets in memory: an address, to which `offset` is added. */
interface Place {
  readonly at: Code
  readonly offset: number
}
const place = (at: Code, offset = 0): Place => ({ at, offset })
const fixed = (address: number): Place => place(i32.const(0), address)
const load = (word: number, { at, offset }: Place): Code => i64.load(offset + 8 * word, at)
const store = (word: number, { at, offset }: Place, value: Code): Code => i64.store(offset + 8 * word, at, value)

/**
 * out = L(P(S(left ^ right))), which may be left or right. The transposition P makes octet i of every word into word i,
 * so each word of the result is the sum of eight table entries, one for each word of the operand. `words` is the first of four locals.
 */
function lps(left: Place, right: Place, out: Place, words: number): Code[] {
  const entry = (index: number, word: number, octet: number): Code => {
    const value = local.get(words + index)
    const position = octet === 0 ? i64.shl(value, i64.const(3n)) : i64.shr(value, i64.const(BigInt(8 * octet - 3)))
    return i64.load(TABLES + word * 2048, i32.and(i32.wrap(position), i32.const(0xff << 3)))
  }
  const partialSums = fixed(PARTIAL_SUMS)
  const part = (first: number): Code[] => {
    const indices = [...Array(WORDS_AT_ONCE).keys()]
    const sum = (octet: number): Code => {
      const entries = indices.map((index) => entry(index, first + index, octet))
      const before = first === 0 ? [] : [load(octet, partialSums)]
      return [...entries, ...before].reduce((a, b) => i64.xor(a, b))
    }
    const to = first + WORDS_AT_ONCE === WORDS ? out : partialSums
    return [
      ...indices.map((index) =>
        local.set(words + index, i64.xor(load(first + index, left), load(first + index, right))),
      ),
      ...EVERY_WORD.map((octet) => store(octet, to, sum(octet))),
    ]
  }
  return [...part(0), ...part(WORDS_AT_ONCE)]
}

/**
 * `compress(message, counter)`: h = E(LPS(h ^ counter), message) ^ h ^ message (RFC 6986 section 8). The rounds are a loop with
 * only the key's address in a register: calls and spilled addresses cost a tenth.
 */
function compress(): WasmFunction & { name: 'compress' } {
  const [message, counter, key, words] = [0, 1, 2, 3]
  const [hash, inner, roundKey] = [fixed(HASH), fixed(INNER), place(local.get(key))]
  const addends = [hash, fixed(KEYS + ROUNDS * BLOCK), inner, place(local.get(message))]
  return {
    name: 'compress',
    parameters: 2,
    locals: [i32.type, ...Array<number>(WORDS_AT_ONCE).fill(i64.type)],
    body: [
      ...lps(hash, place(local.get(counter)), fixed(KEYS), words),
      ...EVERY_WORD.map((word) => store(word, inner, load(word, place(local.get(message))))),
      local.set(key, i32.const(KEYS)),
      repeatWhile(
        i32.below(local.get(key), i32.const(KEYS + ROUNDS * BLOCK)),
        ...lps(roundKey, place(local.get(key), KEY_TO_CONSTANT), place(local.get(key), BLOCK), words),
        ...lps(roundKey, inner, inner, words),
        local.set(key, i32.add(local.get(key), i32.const(BLOCK))),
      ),
      ...EVERY_WORD.map((word) =>
        store(
          word,
          hash,
          addends.map((addend) => load(word, addend)).reduce((a, b) => i64.xor(a, b)),
        ),
      ),
    ],
  }
}
const COMPRESS = 0
const ADD = 1

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
    compress(),
    addition(BLOCK / 8),
    absorption({ block: BLOCK, compress: [COMPRESS, COUNTER], add: ADD, counter: COUNTER, bits: BLOCK_BITS, sum: SUM }),
  ])
  const view = new DataView(memory.buffer)
  writeTables(view)
  ROUND_CONSTANTS.forEach((constant, index) => {
    const octets = Uint8Array.from(constant.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16))
    memory.set(octets.reverse(), CONSTANTS + index * BLOCK)
  })
  view.setUint32(BLOCK_BITS, 8 * BLOCK, true)
  return { memory, view, functions }
}
