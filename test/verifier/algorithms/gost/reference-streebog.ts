import { LINEAR_ROWS, ROUND_CONSTANTS, SUBSTITUTION } from '#verifier/algorithms/gost/streebog-constants.js'

/** Streebog step by step as RFC 6986 words it, over 512-bit integers; slow, for comparison only. */
export function referenceStreebog(message: Uint8Array, bits: 256 | 512): Buffer {
  const width = 2n ** 512n
  let hash = bits === 512 ? 0n : BigInt(`0x${'01'.repeat(64)}`)
  let counter = 0n
  let sum = 0n
  let rest = Buffer.from(message)
  for (; rest.length >= 64; rest = rest.subarray(64)) {
    const block = fromOctets(rest.subarray(0, 64))
    hash = compress(counter, hash, block)
    counter = (counter + 512n) % width
    sum = (sum + block) % width
  }
  const block = fromOctets(Buffer.concat([rest, Buffer.of(1), Buffer.alloc(63 - rest.length)]))
  hash = compress(counter, hash, block)
  counter = (counter + BigInt(8 * rest.length)) % width
  sum = (sum + block) % width
  hash = compress(0n, compress(0n, hash, counter), sum)
  return toOctets(hash).subarray(bits === 512 ? 0 : 32)
}

const fromOctets = (octets: Uint8Array): bigint => BigInt(`0x${Buffer.from(octets).reverse().toString('hex')}`)
const toOctets = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(128, '0'), 'hex').reverse()

function compress(counter: bigint, hash: bigint, block: bigint): bigint {
  let key = substituteTransposeMix(hash ^ counter)
  let state = block
  for (const constant of ROUND_CONSTANTS) {
    state = substituteTransposeMix(state ^ key)
    key = substituteTransposeMix(key ^ BigInt(`0x${constant}`))
  }
  return state ^ key ^ hash ^ block
}

function substituteTransposeMix(value: bigint): bigint {
  const substituted = toOctets(value).map((octet) => SUBSTITUTION[octet] as number)
  const transposed = substituted.map((_, i) => substituted[8 * (i % 8) + Math.floor(i / 8)] as number)
  let result = 0n
  for (let word = 0; word < 8; word += 1) {
    const operand = fromOctets(transposed.subarray(8 * word, 8 * word + 8))
    let image = 0n
    LINEAR_ROWS.forEach((row, i) => {
      if ((operand >> BigInt(63 - i)) & 1n) image ^= row
    })
    result |= image << BigInt(64 * word)
  }
  return result
}
