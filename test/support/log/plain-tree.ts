import { createHash } from 'node:crypto'

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const running = createHash('sha256')
  for (const part of parts) running.update(part)
  return running.digest()
}

/** Entry `index` of every log that is grown here. */
export const entryAt = (index: number): Buffer => Buffer.from(`entry ${index}`)

/** Where RFC 6962 divides a list: the largest power of two below its length. */
const split = (length: number): number => 2 ** Math.ceil(Math.log2(length) - 1)

/** Trees of RFC 6962, 2.1 over the entries of a log, word by word: it knows no tiles, and is its own opinion. */
export class PlainTree {
  private readonly known = new Map<string, Buffer>()

  constructor(private readonly entry: (index: number) => Uint8Array = entryAt) {}

  /** `MTH(D[from:to])`, of the first entries where nothing else is said. */
  root(to: number, from = 0): Buffer {
    const key = `${from} ${to}`
    const found = this.known.get(key)
    if (found !== undefined) return found
    const made = this.make(from, to)
    this.known.set(key, made)
    return made
  }

  /** `PATH(m, D[n])` of 2.1.1. */
  path(m: number, n: number, from = 0): Buffer[] {
    if (n === 1) return []
    const k = split(n)
    return m < k
      ? [...this.path(m, k, from), this.root(from + n, from + k)]
      : [...this.path(m - k, n - k, from + k), this.root(from + k, from)]
  }

  /** `PROOF(m, D[n])` of 2.1.2, with nothing for the empty tree. */
  consistency(m: number, n: number): Buffer[] {
    return m === 0 ? [] : this.subproof(m, n, 0, true)
  }

  private subproof(m: number, n: number, from: number, isWhole: boolean): Buffer[] {
    if (m === n) return isWhole ? [] : [this.root(from + n, from)]
    const k = split(n)
    return m <= k
      ? [...this.subproof(m, k, from, isWhole), this.root(from + n, from + k)]
      : [...this.subproof(m - k, n - k, from + k, false), this.root(from + k, from)]
  }

  private make(from: number, to: number): Buffer {
    if (from === to) return sha256()
    if (to - from === 1) return sha256(LEAF, this.entry(from))
    const middle = from + split(to - from)
    return sha256(NODE, this.root(middle, from), this.root(to, middle))
  }
}
