/** Remembers what was made from bytes: at most so many, the least recently used forgotten first. */
export class Recent<V> {
  private readonly values = new Map<string, V>()

  constructor(private readonly most: number) {}

  /** What was made from these bytes before, or is made now; nothing is remembered when `make` throws. */
  of(bytes: Uint8Array, make: (copy: Uint8Array) => V): V {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    const found = this.values.get(key)
    if (found !== undefined) {
      this.values.delete(key) // moved to the young end
      this.values.set(key, found)
      return found
    }
    // A copy, so that neither what the caller does to the bytes nor the buffer around them stays.
    const made = make(new Uint8Array(bytes))
    this.values.set(key, made)
    if (this.values.size > this.most) this.values.delete(this.values.keys().next().value as string)
    return made
  }
}
