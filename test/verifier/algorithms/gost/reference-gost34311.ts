/** GOST 34.311-95 step by step as RFC 5831 words it, over 256-bit integers; slow, for comparison only. */
export function referenceGost34311(message: Uint8Array): Buffer {
  const width = 2n ** 256n
  let hash = 0n
  let sum = 0n
  for (let offset = 0; offset < message.length; offset += 32) {
    const block = fromOctets(message.subarray(offset, offset + 32))
    hash = step(block, hash)
    sum = (sum + block) % width
  }
  hash = step(sum, step(BigInt(message.length * 8), hash))
  return Buffer.from(hash.toString(16).padStart(64, '0'), 'hex').reverse()
}

/** The substitution of `id-GostR3411-94-TestParamSet` (RFC 4357 section 11.2), a row for each four bits, lowest first. */
const ROWS = [
  '4a92d80e6b1c7f53',
  'eb4c6dfa23810759',
  '581da342efc7609b',
  '7da1089fe46cb253',
  '6c715fd84a9e03b2',
  '4ba0721d36859cfe',
  'db413f590ae7682c',
  '1fd057a4923e6b8c',
].map((row) => [...row].map((digit) => BigInt(`0x${digit}`)))

const C3 = 0xff00ffff000000ffff0000ff00ffff0000ff00ff00ff00ffff00ff00ff00ff00n
const word = (value: bigint, index: number, bits: number): bigint =>
  (value >> BigInt(bits * index)) & (2n ** BigInt(bits) - 1n)
const fromOctets = (octets: Uint8Array): bigint => BigInt(`0x${Buffer.from(octets).reverse().toString('hex')}`)

function step(block: bigint, hash: bigint): bigint {
  const keys = [permute(hash ^ block)]
  let [u, v] = [hash, block]
  for (const constant of [0n, C3, 0n]) {
    u = turn(u) ^ constant
    v = turn(turn(v))
    keys.push(permute(u ^ v))
  }
  const encrypted = keys.reduce((all, key, i) => all | (encrypt(word(hash, i, 64), key) << BigInt(64 * i)), 0n)
  return shift(61, hash ^ shift(1, block ^ shift(12, encrypted)))
}

const turn = (y: bigint): bigint => (y >> 64n) | ((word(y, 0, 64) ^ word(y, 1, 64)) << 192n)

function permute(value: bigint): bigint {
  let result = 0n
  for (let i = 0; i < 4; i += 1) {
    for (let k = 0; k < 8; k += 1) result |= word(value, 8 * i + k, 8) << BigInt(8 * (i + 4 * k))
  }
  return result
}

function encrypt(value: bigint, key: bigint): bigint {
  let [low, high] = [word(value, 0, 32), word(value, 1, 32)]
  for (let round = 0; round < 32; round += 1) {
    const input = (low + word(key, round < 24 ? round % 8 : 31 - round, 32)) % 2n ** 32n
    const substituted = ROWS.reduce(
      (all, row, i) => all | ((row[Number(word(input, i, 4))] ?? 0n) << BigInt(4 * i)),
      0n,
    )
    const rotated = ((substituted << 11n) | (substituted >> 21n)) % 2n ** 32n
    ;[low, high] = [high ^ rotated, low]
  }
  return (low << 32n) | high
}

function shift(times: number, value: bigint): bigint {
  let result = value
  for (let i = 0; i < times; i += 1) {
    const fed = [0, 1, 2, 3, 12, 15].reduce((sum, index) => sum ^ word(result, index, 16), 0n)
    result = (result >> 16n) | (fed << 240n)
  }
  return result
}
