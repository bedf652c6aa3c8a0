import { octetAt } from './der/reader.js'

const KEY_OCTETS = 48
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
/** Larger inputs are not cached: their size is chosen by strangers. */
const MAX_OCTETS = 16_384

interface Remembered<V> {
  readonly bytes: Uint8Array
  readonly made: V
}

/** A bounded cache of what was made from bytes; least recently used entries are evicted first. */
export class Recent<V> {
  // Keyed by a hash of the last octets, which differ between keys and between signatures; colliding entries replace each other.
  private readonly values: RecentMap<number, Remembered<V>>

  constructor(maxEntries: number) {
    this.values = new RecentMap(maxEntries)
  }

  /** The cached value for these bytes, or a new one; nothing is cached if `make` throws. */
  of(bytes: Uint8Array, make: (copy: Uint8Array) => V): V {
    if (bytes.length > MAX_OCTETS) return make(new Uint8Array(bytes))
    const key = numberOf(bytes)
    const found = this.values.get(key)
    if (found !== undefined && Buffer.compare(found.bytes, bytes) === 0) return found.made
    // A copy, so that later changes do not matter and the surrounding buffer is not retained.
    const copy = new Uint8Array(bytes)
    const made = make(copy)
    this.values.set(key, { bytes: copy, made })
    return made
  }
}

/** A bounded map that approximates LRU with two generations of half the size each. */
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

/** A 30-bit FNV-1a hash of the last octets: a small integer, which maps look up without allocating. */
function numberOf(bytes: Uint8Array): number {
  let hash = FNV_OFFSET
  for (let at = Math.max(0, bytes.length - KEY_OCTETS); at < bytes.length; at += 1)
    hash = Math.imul(hash ^ octetAt(bytes, at), FNV_PRIME)
  return hash >>> 2
}
