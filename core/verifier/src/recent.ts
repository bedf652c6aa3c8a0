import { octetAt } from './der/reader.js'

const KEY_OCTETS = 48
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
/** What is larger is made anew each time: strangers choose how large it is. */
const MAX_OCTETS = 16_384

interface Remembered<V> {
  readonly bytes: Uint8Array
  readonly made: V
}

/** Remembers what was made from bytes: at most so many, those that nobody asked for in a while forgotten first. */
export class Recent<V> {
  // By a number over their last octets, which differ in keys and signatures; of several that have the same one is remembered.
  private readonly values: RecentMap<number, Remembered<V>>

  constructor(maxEntries: number) {
    this.values = new RecentMap(maxEntries)
  }

  /** What was made from these bytes before, or is made now; nothing is remembered when `make` throws. */
  of(bytes: Uint8Array, make: (copy: Uint8Array) => V): V {
    if (bytes.length > MAX_OCTETS) return make(new Uint8Array(bytes))
    const key = numberOf(bytes)
    const found = this.values.get(key)
    if (found !== undefined && Buffer.compare(found.bytes, bytes) === 0) return found.made
    // A copy, so that neither what the caller does to the bytes nor the buffer around them stays.
    const copy = new Uint8Array(bytes)
    const made = make(copy)
    this.values.set(key, { bytes: copy, made })
    return made
  }
}

/** A map of at most so many entries. What was not asked for while half as many others came is forgotten. */
export class RecentMap<K, V> {
  private young = new Map<K, V>()
  private old = new Map<K, V>()

  constructor(private readonly maxEntries: number) {}

  get(key: K): V | undefined {
    const found = this.young.get(key)
    if (found !== undefined) return found
    const older = this.old.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: K, value: V): void {
    this.young.set(key, value)
    if (this.young.size <= this.maxEntries / 2) return
    this.old = this.young
    this.young = new Map()
  }
}

/** A number of 30 bits over the last octets (FNV-1a), which maps find without making anything. */
function numberOf(bytes: Uint8Array): number {
  let hash = FNV_OFFSET
  for (let at = Math.max(0, bytes.length - KEY_OCTETS); at < bytes.length; at += 1)
    hash = Math.imul(hash ^ octetAt(bytes, at), FNV_PRIME)
  return hash >>> 2
}
