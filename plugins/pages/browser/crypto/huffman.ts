/** Longest code of DEFLATE, bits. */
const MAX_BITS = 15

/** Where bits come from, the lowest first. */
export interface BitSource {
  bits(count: number): number
}

/** A canonical Huffman code (RFC 1951, 3.2.2). */
export class HuffmanCode {
  private readonly counts = new Uint16Array(MAX_BITS + 1)
  private readonly symbols: Uint16Array

  /** Throws where no such code can be: as zlib, it takes one that leaves codes over only where it is one code of one bit. */
  constructor(lengths: ArrayLike<number>, { mayBeIncomplete = true } = {}) {
    const all = Array.from(lengths)
    for (const length of all) this.counts[length] = (this.counts[length] ?? 0) + 1
    this.counts[0] = 0
    const offsets = new Uint16Array(MAX_BITS + 2)
    let left = 1
    for (let length = 1; length <= MAX_BITS; length += 1) {
      const count = this.counts[length] ?? 0
      left = left * 2 - count
      if (left < 0) throw new Error('over-subscribed code')
      offsets[length + 1] = (offsets[length] ?? 0) + count
    }
    const longest = this.counts.findLastIndex((count) => count > 0)
    if (left > 0 && (longest > 1 || !mayBeIncomplete)) throw new Error('incomplete code')
    this.symbols = new Uint16Array(all.filter((length) => length > 0).length)
    for (const [symbol, length] of all.entries()) {
      if (length === 0) continue
      const place = offsets[length] ?? 0
      this.symbols[place] = symbol
      offsets[length] = place + 1
    }
  }

  /** The next symbol; throws for a code that none has. */
  next(source: BitSource): number {
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= MAX_BITS; length += 1) {
      code |= source.bits(1)
      const count = this.counts[length] ?? 0
      if (code - count < first) return this.symbols[index + code - first] ?? 0
      index += count
      first = (first + count) * 2
      code *= 2
    }
    throw new Error('invalid code')
  }
}
