import { type BitSource, HuffmanCode } from './huffman.js'

const END_OF_BLOCK = 256
const MAX_LENGTH_CODES = 286
const MAX_DISTANCE_CODES = 30
/** The order in which lengths of codes of lengths stand (RFC 1951, 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
/** What lengths and distances begin at, and how many bits more they have (3.2.5). */
const LENGTHS = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const DISTANCE_BITS = Array.from({ length: MAX_DISTANCE_CODES }, (_, code) => Math.max(0, (code >> 1) - 1))
const DISTANCES = DISTANCE_BITS.map((bits, code) => (code < 2 ? code + 1 : 1 + ((2 + (code & 1)) << bits)))

const fixed = (...runs: readonly (readonly [count: number, length: number])[]): HuffmanCode =>
  new HuffmanCode(runs.flatMap(([count, length]) => Array.from({ length: count }, () => length)))
const FIXED_LENGTHS = fixed([144, 8], [112, 9], [24, 7], [8, 8])
const FIXED_DISTANCES = fixed([32, 5])

/** Octets that are read bit by bit. */
class Bits implements BitSource {
  private held = 0
  private count = 0

  constructor(
    private readonly octets: Uint8Array,
    private at: number,
  ) {}

  bits(wanted: number): number {
    while (this.count < wanted) {
      this.held |= this.octet() << this.count
      this.count += 8
    }
    const value = this.held & ((1 << wanted) - 1)
    this.held >>>= wanted
    this.count -= wanted
    return value
  }

  /** The next whole octets; what is left of the one before is skipped. Less than a whole octet is ever held. */
  whole(length: number): Uint8Array {
    this.held = 0
    this.count = 0
    if (this.at + length > this.octets.length) throw new Error('unexpected end of file')
    this.at += length
    return this.octets.subarray(this.at - length, this.at)
  }

  private octet(): number {
    const value = this.octets[this.at]
    if (value === undefined) throw new Error('unexpected end of file')
    this.at += 1
    return value
  }
}

/** What was inflated, no more than it may be; throws a RangeError for more, as Node does. */
class Inflated {
  private held = new Uint8Array(64 * 1024)
  private length = 0

  constructor(private readonly most: number) {}

  add(octets: Uint8Array): void {
    this.makeRoom(octets.length)
    this.held.set(octets, this.length)
    this.length += octets.length
  }

  addOne(octet: number): void {
    this.makeRoom(1)
    this.held[this.length] = octet
    this.length += 1
  }

  again(distance: number, length: number): void {
    if (distance > this.length) throw new Error('invalid distance too far back')
    this.makeRoom(length)
    // What is copied may be what this copy has just made.
    for (let at = this.length; at < this.length + length; at += 1) this.held[at] = this.held[at - distance] ?? 0
    this.length += length
  }

  octets(): Uint8Array {
    return this.held.subarray(0, this.length)
  }

  private makeRoom(more: number): void {
    const needed = this.length + more
    if (needed > this.most) throw new RangeError(`Cannot create a Buffer larger than ${this.most} bytes`)
    if (needed <= this.held.length) return
    const grown = new Uint8Array(Math.max(needed, this.held.length * 2))
    grown.set(this.held)
    this.held = grown
  }
}

/** A stream of ZLIB (RFC 1950), refused where zlib refuses it; what stands behind it is left alone. */
export function unzlib(octets: Uint8Array, most: number): Uint8Array {
  const [method = 0, flags = 0] = octets
  const isRight = (method * 256 + flags) % 31 === 0 && (method & 0x0f) === 8 && method >> 4 <= 7
  if (octets.length < 2) throw new Error('unexpected end of file')
  if (!isRight || (flags & 0x20) !== 0) throw new Error('incorrect header check')
  const source = new Bits(octets, 2)
  const inflated = new Inflated(most)
  for (let isLast = false; !isLast; ) {
    isLast = source.bits(1) === 1
    readBlock(source, inflated)
  }
  const due = source.whole(4).reduce((value, octet) => value * 256 + octet, 0)
  if (adler32(inflated.octets()) !== due) throw new Error('incorrect data check')
  return inflated.octets()
}

function readBlock(source: Bits, inflated: Inflated): void {
  const type = source.bits(2)
  if (type === 0) {
    const [low = 0, high = 0, notLow = 0, notHigh = 0] = source.whole(4)
    if (low + notLow !== 255 || high + notHigh !== 255) throw new Error('invalid stored block lengths')
    inflated.add(source.whole(high * 256 + low))
  } else if (type === 1) readCodes(source, inflated, FIXED_LENGTHS, FIXED_DISTANCES)
  else if (type === 2) readCodes(source, inflated, ...dynamicCodes(source))
  else throw new Error('invalid block type')
}

function dynamicCodes(source: Bits): [HuffmanCode, HuffmanCode] {
  const lengthCodes = source.bits(5) + 257
  const distanceCodes = source.bits(5) + 1
  const codeCodes = source.bits(4) + 4
  if (lengthCodes > MAX_LENGTH_CODES || distanceCodes > MAX_DISTANCE_CODES) throw new Error('too many symbols')
  const ofCodes = new Uint8Array(ORDER.length)
  for (const place of ORDER.slice(0, codeCodes)) ofCodes[place] = source.bits(3)
  const code = new HuffmanCode(ofCodes, { mayBeIncomplete: false })
  const lengths: number[] = []
  while (lengths.length < lengthCodes + distanceCodes) {
    const symbol = code.next(source)
    if (symbol < 16) lengths.push(symbol)
    else lengths.push(...repeated(source, symbol, lengths.at(-1)))
  }
  if (lengths.length > lengthCodes + distanceCodes) throw new Error('invalid bit length repeat')
  if (lengths[END_OF_BLOCK] === 0) throw new Error('missing end-of-block')
  return [new HuffmanCode(lengths.slice(0, lengthCodes)), new HuffmanCode(lengths.slice(lengthCodes))]
}

function repeated(source: Bits, symbol: number, before: number | undefined): readonly number[] {
  if (symbol === 16 && before === undefined) throw new Error('invalid bit length repeat')
  const [bits, least, value] = symbol === 16 ? [2, 3, before ?? 0] : symbol === 17 ? [3, 3, 0] : [7, 11, 0]
  return Array.from({ length: least + source.bits(bits) }, () => value)
}

function readCodes(source: Bits, inflated: Inflated, lengths: HuffmanCode, distances: HuffmanCode): void {
  for (;;) {
    const symbol = lengths.next(source)
    if (symbol === END_OF_BLOCK) return
    if (symbol < END_OF_BLOCK) {
      inflated.addOne(symbol)
      continue
    }
    const length = numberOf(source, symbol - END_OF_BLOCK - 1, LENGTHS, LENGTH_BITS)
    inflated.again(numberOf(source, distances.next(source), DISTANCES, DISTANCE_BITS), length)
  }
}

function numberOf(source: Bits, code: number, bases: readonly number[], bits: readonly number[]): number {
  const [base, more] = [bases[code], bits[code]]
  if (base === undefined || more === undefined) throw new Error('invalid code')
  return base + source.bits(more)
}

/** Largest prime below 2^16, and how many octets may be added before a sum could pass 2^32 (RFC 1950, 8.2). */
const ADLER_MODULUS = 65_521
const ADLER_RUN = 5552

function adler32(octets: Uint8Array): number {
  let one = 1
  let two = 0
  for (let from = 0; from < octets.length; from += ADLER_RUN) {
    for (const octet of octets.subarray(from, from + ADLER_RUN)) {
      one += octet
      two += one
    }
    one %= ADLER_MODULUS
    two %= ADLER_MODULUS
  }
  return two * 65_536 + one
}
