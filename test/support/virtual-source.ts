import type { ByteSource } from '@signed-registry/verifier/evidence'

/** What is written, without the zeros in it: an original of many GiB takes no room. */
export class VirtualSource implements ByteSource {
  size = 0
  private readonly starts: number[] = []
  private readonly parts: (Uint8Array | undefined)[] = []

  /** Adds octets; those that look into `zeros` are only counted. */
  add(bytes: Uint8Array, zeros: Uint8Array): void {
    if (bytes.length === 0) return
    this.starts.push(this.size)
    this.parts.push(bytes.buffer === zeros.buffer ? undefined : Uint8Array.from(bytes))
    this.size += bytes.length
  }

  read(from: number, to: number): Uint8Array {
    const read = new Uint8Array(to - from)
    for (let index = this.partAt(from); index < this.parts.length; index += 1) {
      const start = this.starts[index] ?? 0
      if (start >= to) break
      const part = this.parts[index]
      if (part === undefined) continue
      const begin = Math.max(from, start)
      const own = part.subarray(begin - start, Math.min(to - start, part.length))
      read.set(own, begin - from)
    }
    return read
  }

  /** The last part that begins at a place or before it. */
  private partAt(at: number): number {
    let [low, high] = [0, this.starts.length]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if ((this.starts[middle] ?? 0) <= at) low = middle
      else high = middle
    }
    return low
  }
}
