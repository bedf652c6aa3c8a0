import type { GostPoint } from './curves.js'

/** Keys that are remembered, and how many of them may have tables. */
const MAX_KEYS = 256
const SLOTS = 16
/** A key that came so often will come again: an authority's, not a signer's, which is read and verified with once. */
const SIGHTS = 3

interface Sighted {
  readonly y: bigint
  sights: number
  slot?: number
}

/** Which public keys come again and again, and which slot has the tables of each; the least recently seen gives way. */
export class ReturningKeys {
  /** By x, the least recently seen first. */
  private readonly keys = new Map<bigint, Sighted>()
  private readonly free = [...Array(SLOTS).keys()]

  /** The slot of a key that returns; `fresh` where the tables must be made. Undefined for other keys. */
  slotOf({ x, y }: GostPoint): { readonly slot: number; readonly fresh: boolean } | undefined {
    const known = this.take(x)
    if (known !== undefined && known.y !== y) this.release(known)
    const key: Sighted = known?.y === y ? known : { y, sights: 0 }
    key.sights += 1
    this.keys.set(x, key)
    this.forgetOldest()
    if (key.slot !== undefined) return { slot: key.slot, fresh: false }
    if (key.sights < SIGHTS) return undefined
    key.slot = this.freeSlot()
    return { slot: key.slot, fresh: true }
  }

  private take(x: bigint): Sighted | undefined {
    const known = this.keys.get(x)
    this.keys.delete(x)
    return known
  }

  private forgetOldest(): void {
    const [oldest] = this.keys.size > MAX_KEYS ? this.keys : []
    if (oldest === undefined) return
    this.keys.delete(oldest[0])
    this.release(oldest[1])
  }

  /** A slot that is free, or that of the key that was not seen for longest, which has to earn another. */
  private freeSlot(): number {
    if (this.free.length === 0) {
      for (const key of this.keys.values()) {
        if (key.slot === undefined) continue
        this.release(key)
        break
      }
    }
    return this.free.pop() ?? 0
  }

  private release(key: Sighted): void {
    if (key.slot === undefined) return
    this.free.push(key.slot)
    delete key.slot
    key.sights = 0
  }
}
