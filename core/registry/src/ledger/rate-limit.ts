const MINUTE = 60_000
const MAX_KEYS = 100_000

/**
 * Limits requests per minute and key, in bursts or evenly (GCRA). A key costs one number; of the 100,000 that are
 * remembered the least recently used is forgotten first.
 */
export class RateLimit {
  /** When each key will have its full allowance again (GCRA's theoretical arrival time), least recently used first. */
  private readonly clear = new Map<string, number>()
  private readonly interval: number

  /** `perMinute` of 0 limits nothing. Of several processes that share a limit each has one of so many `parts`. */
  constructor(
    private readonly perMinute: number,
    private readonly now: () => number,
    private readonly maxKeys = MAX_KEYS,
    private readonly parts = 1,
  ) {
    this.interval = (MINUTE * parts) / perMinute
  }

  /**
   * Counts a request, or as many as it costs, so many of them borrowed; answers 0 when it may proceed, else the milliseconds
   * until it may. One that costs more than a minute's allowance may proceed after a minute of rest.
   */
  take(key: string, cost = 1, borrowed = 0): number {
    if (this.perMinute === 0) return 0
    const own = Math.min(cost, this.perMinute) - borrowed
    const wait = this.wait(key, own)
    if (wait === 0) this.remember(key, this.after(key, own))
    else if (borrowed > 0) this.remember(key, this.after(key, -borrowed))
    return wait
  }

  /** As `take`, without counting. */
  wait(key: string, cost = 1): number {
    if (this.perMinute === 0) return 0
    // Rounded to microseconds: floating-point sums end a hair above ten seconds, which would be reported as eleven.
    return Math.max(0, Math.round((this.after(key, cost) - this.now() - MINUTE) * 1000) / 1000)
  }

  /** How many requests are missing for one that has to wait so many milliseconds. */
  missing(wait: number): number {
    return wait / this.interval
  }

  /** Gives so many requests of a key away, or more of what it has, but no more than that; answers how many. */
  lend(key: string, needed: number): number {
    if (this.perMinute === 0) return 0
    const left = Math.max(0, this.now() + MINUTE - this.after(key, 0)) / this.interval
    const lent = Math.min(left, Math.max(needed, left / this.parts))
    if (lent > 0) this.remember(key, this.after(key, lent))
    return lent
  }

  private remember(key: string, clear: number): void {
    this.clear.delete(key)
    this.clear.set(key, clear)
    if (this.clear.size <= this.maxKeys) return
    for (const quietest of this.clear.keys()) {
      this.clear.delete(quietest)
      break
    }
  }

  /** When the key will have its full allowance again after this request. */
  private after(key: string, cost: number): number {
    return Math.max(this.clear.get(key) ?? 0, this.now()) + this.interval * Math.min(cost, this.perMinute)
  }
}
