import { type Caller, ownerOf } from '../identity/index.js'

/** Bytes of JSON above which reading and parsing block other requests for milliseconds. */
const LARGE = 512 * 1024
const LANES_KEPT = 1000

/** Paces large JSON: one lane for all strangers, one for each authenticated caller. */
export class JsonPace {
  /** The moment until which each lane is taken. */
  private readonly takenUntil = new Map<string, number>()

  /** Without a rate nothing is delayed. */
  constructor(
    private readonly bytesPerSecond: number | undefined,
    private readonly now: () => number,
  ) {}

  /** Reserves time for so many bytes; answers the milliseconds to wait before reading them. */
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
