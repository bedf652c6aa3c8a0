import { LINEAR_ROWS, ROUND_CONSTANTS, SUBSTITUTION } from './streebog-constants.js'

const [BLOCK, WORDS] = [64, 8]

/**
 * Streebog in native code: takes whole blocks of 64 octets into a state (the hash value, the number of bits, the sum of blocks),
 * by tables that it is given each time (core/registry/native/streebog.c).
 */
export type NativeStreebog = (tables: Uint8Array, state: Uint8Array, blocks: Uint8Array) => void

/** Octet i of word w changes places with octet w of word i. */
const transposed = (index: number): number => WORDS * (index % WORDS) + Math.floor(index / WORDS)
const everyOctet = [...Array(BLOCK).keys()]

/**
 * What native code computes with, one after the other: pi, eight times eight matrices of bits, where each of the eight takes
 * its octets from, the transposition, and the constants of rounds, transposed.
 */
export function nativeTables(): Uint8Array {
  const rotations = [...Array(WORDS).keys()]
  return Uint8Array.from([
    ...SUBSTITUTION,
    ...rotations.flatMap((by) => rotations.flatMap((word) => matrix((word + by) % WORDS, word))),
    ...rotations.flatMap((by) => everyOctet.map((octet) => transposed((octet + WORDS * by) % BLOCK))),
    ...everyOctet.map(transposed),
    ...ROUND_CONSTANTS.flatMap((constant) => {
      const octets = (constant.match(/../g) ?? []).map((hex) => Number.parseInt(hex, 16)).reverse()
      return everyOctet.map((octet) => octets[transposed(octet)] ?? 0)
    }),
  ])
}

/** What octet `to` of an image has of octet `from` of its operand, as GFNI wants it: eight rows, the highest bit's first. */
function matrix(from: number, to: number): number[] {
  return [7, 6, 5, 4, 3, 2, 1, 0].map((row) =>
    [...Array(8).keys()].reduce((bits, column) => {
      const image = LINEAR_ROWS[BLOCK - 1 - (8 * from + column)] ?? 0n
      return bits | (Number((image >> BigInt(8 * to + row)) & 1n) << column)
    }, 0),
  )
}
