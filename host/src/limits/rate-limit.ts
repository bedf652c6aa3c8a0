const MINUTE = 60_000
const MOST_KEYS = 100_000

/**
 * Counts requests of one host by key, so many a minute: all at once, or evenly (GCRA). A key costs one number; of the
 * 100,000 that are remembered the one that was quiet for longest is forgotten first.
 */
export class RateLimit {
  /** When each key will have nothing left to make good, in the order of its last request. */
  readonly #clear = new Map<string, number>()
  readonly #interval: number

  /** `perMinute` of 0 limits nothing. */
  constructor(
    private readonly perMinute: number,
    private readonly now: () => number,
    private readonly mostKeys = MOST_KEYS,
  ) {
    this.#interval = MINUTE / perMinute
  }

  /** Counts a request; gives 0 when it may go on, else the milliseconds after which the next one may. */
  take(key: string): number {
    const wait = this.wait(key)
    if (wait > 0 || this.perMinute === 0) return wait
    const clear = Math.max(this.#clear.get(key) ?? 0, this.now()) + this.#interval
    this.#clear.delete(key)
    this.#clear.set(key, clear)
    if (this.#clear.size > this.mostKeys) {
      for (const quietest of this.#clear.keys()) {
        this.#clear.delete(quietest)
        break
      }
    }
    return 0
  }

  /** As `take`, without counting. */
  wait(key: string): number {
    if (this.perMinute === 0) return 0
    const now = this.now()
    const clear = Math.max(this.#clear.get(key) ?? 0, now) + this.#interval
    return Math.max(0, clear - now - MINUTE)
  }
}
