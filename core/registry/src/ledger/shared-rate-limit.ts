/** The processes of one host, each with its part of what callers may do, of which it lends to the others. */
export interface Lenders {
  /** How many there are, this one included. */
  readonly parts: number
  /** Asks all others for so many requests of a key of a limit; answers how many they lent, which may be more or fewer. */
  borrow(limit: string, key: string, needed: number): Promise<number>
  /** Calls `lend` when others ask for requests of a limit. */
  onBorrow(limit: string, lend: (key: string, needed: number) => number): void
}

/** The part of a limit that one process has. */
export interface OwnPart {
  take(key: string, cost: number, borrowed?: number): number
  missing(wait: number): number
  lend(key: string, needed: number): number
}

/**
 * A limit of requests per minute and key that holds for all processes of a host as one: each has its part, and asks the others
 * when a key has used it up. Callers that stay below their part cost no message.
 */
export class SharedRateLimit {
  /** Keys for which others are being asked. */
  private readonly asking = new Map<string, Promise<number>>()
  /** Until when nobody has anything left of a key: those over their rate must not make others work. */
  private readonly usedUp = new Map<string, number>()

  constructor(
    private readonly name: string,
    private readonly own: OwnPart,
    private readonly now: () => number,
    private readonly lenders: Lenders,
  ) {
    lenders.onBorrow(name, (key, needed) => own.lend(key, needed))
  }

  /** As `RateLimit.take`; a promise only where others have to be asked. */
  take(key: string, cost = 1): number | Promise<number> {
    const wait = this.own.take(key, cost)
    if (wait === 0) return 0
    const until = this.usedUp.get(key) ?? 0
    if (until > this.now()) return until - this.now()
    const before = this.asking.get(key)
    if (before !== undefined) return before.then(() => this.take(key, cost))
    this.usedUp.delete(key)
    const asked = this.borrow(key, cost, wait).finally(() => this.asking.delete(key))
    this.asking.set(key, asked)
    return asked
  }

  private async borrow(key: string, cost: number, wait: number): Promise<number> {
    const borrowed = await this.lenders.borrow(this.name, key, this.own.missing(wait))
    const left = this.own.take(key, cost, borrowed)
    if (left === 0) return 0
    // From now on all parts fill up, and can be asked again when they have enough between them.
    const untilOne = left / this.lenders.parts
    if (this.usedUp.size >= MAX_USED_UP) this.usedUp.clear()
    this.usedUp.set(key, this.now() + untilOne)
    return untilOne
  }
}

const MAX_USED_UP = 10_000
