const KEY_OCTETS = 48

interface Remembered<V> {
  readonly bytes: Uint8Array
  readonly made: V
}

/** Remembers what was made from bytes: at most so many, the least recently used forgotten first. */
export class Recent<V> {
  // By their last octets, which differ in keys and signatures; of several that end alike one is remembered.
  private readonly values = new Map<string, Remembered<V>>()

  constructor(private readonly most: number) {}

  /** What was made from these bytes before, or is made now; nothing is remembered when `make` throws. */
  of(bytes: Uint8Array, make: (copy: Uint8Array) => V): V {
    const key = lastOctets(bytes)
    const found = this.values.get(key)
    if (found !== undefined && Buffer.compare(found.bytes, bytes) === 0) {
      this.values.delete(key) // moved to the young end
      this.values.set(key, found)
      return found.made
    }
    // A copy, so that neither what the caller does to the bytes nor the buffer around them stays.
    const copy = new Uint8Array(bytes)
    const made = make(copy)
    this.values.delete(key)
    this.values.set(key, { bytes: copy, made })
    if (this.values.size > this.most) this.values.delete(this.values.keys().next().value as string)
    return made
  }
}

function lastOctets({ buffer, byteOffset, length }: Uint8Array): string {
  const count = Math.min(length, KEY_OCTETS)
  return Buffer.from(buffer, byteOffset + length - count, count).toString('latin1')
}
