const MINUTE = 60_000
const MAX_KEYS = 100_000

/**
 * Counts requests of one host by key, so many a minute: all at once, or evenly (GCRA). A key costs one number; of the
 * 100,000 that are remembered the one that was quiet for longest is forgotten first.
 */
export class RateLimit {
  /** When each key will have nothing left to make good, in the order of its last request. */
  private readonly clear = new Map<string, number>()
  private readonly interval: number

  /** `perMinute` of 0 limits nothing. */
  constructor(
    private readonly perMinute: number,
    private readonly now: () => number,
    private readonly maxKeys = MAX_KEYS,
  ) {
    this.interval = MINUTE / perMinute
  }

  /**
   * Counts a request, or as many as it costs; gives 0 when it may go on, else the milliseconds after which it may. What
   * costs more than a minute's worth may go on after a minute of rest.
   */
  take(key: string, cost = 1): number {
    const wait = this.wait(key, cost)
    if (wait > 0 || this.perMinute === 0) return wait
    const clear = this.after(key, cost)
    this.clear.delete(key)
    this.clear.set(key, clear)
    if (this.clear.size > this.maxKeys) {
      for (const quietest of this.clear.keys()) {
        this.clear.delete(quietest)
        break
      }
    }
    return 0
  }

  /** As `take`, without counting. */
  wait(key: string, cost = 1): number {
    if (this.perMinute === 0) return 0
    // To the microsecond: sums of fractions end a hair above ten seconds, and would be told as eleven.
    return Math.max(0, Math.round((this.after(key, cost) - this.now() - MINUTE) * 1000) / 1000)
  }

  /** When the key will have nothing left to make good, with this. */
  private after(key: string, cost: number): number {
    return Math.max(this.clear.get(key) ?? 0, this.now()) + this.interval * Math.min(cost, this.perMinute)
  }
}
