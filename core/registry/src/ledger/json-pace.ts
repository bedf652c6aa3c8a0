import { type Caller, ownerOf } from '../identity/index.js'

/** Bytes of JSON from which on reading and parsing hold up everybody else for milliseconds. */
const LARGE = 512 * 1024
const LANES_KEPT = 1000

/** Spreads large JSON over time: that of all strangers together, and that of each known caller. */
export class JsonPace {
  /** Until when each lane is taken. */
  private readonly takenUntil = new Map<string, number>()

  /** Without a number of bytes nothing is held up. */
  constructor(
    private readonly bytesPerSecond: number | undefined,
    private readonly now: () => number,
  ) {}

  /** Takes the time of so many bytes; gives the milliseconds after which they may come. */
  delay(caller: Caller, bytes: number): number {
    if (bytes < LARGE || this.bytesPerSecond === undefined) return 0
    const now = this.now()
    const lane = caller.kind === 'anonymous' ? 'strangers' : ownerOf(caller)
    const begin = Math.max(now, this.takenUntil.get(lane) ?? 0)
    this.takenUntil.set(lane, begin + (1000 * bytes) / this.bytesPerSecond)
    if (this.takenUntil.size > LANES_KEPT)
      for (const [other, until] of this.takenUntil) if (until <= now) this.takenUntil.delete(other)
    return begin - now
  }
}
