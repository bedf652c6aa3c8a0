/** How slowly bodies may arrive, and answers may be read. */
export interface Pace {
  /** Milliseconds that a body may stall; having been faster before buys no more. */
  readonly grace: number
  /** Slowest bytes per second of a body. Answers may be eight times slower, and stall four times as long. */
  readonly bytesPerSecond: number
  /** The minimum doubles after `after` milliseconds, and again every `every`, up to `most` bytes per second. */
  readonly rises?: { readonly after: number; readonly every: number; readonly most: number }
  /** Most bytes per second of large JSON that are read: from all anonymous callers together, and from each authenticated one. */
  readonly largeJson?: number
}

/** How many times faster a body must arrive that memory is reserved for. */
export const RESERVED_PACE_FACTOR = 4

const MINUTE = 60_000

export const defaultPace: Pace = {
  grace: 30_000,
  bytesPerSecond: 16 * 1024,
  rises: { after: 5 * MINUTE, every: 10 * MINUTE, most: 256 * 1024 },
  // 10 MiB block the event loop for some 150 milliseconds: a sixteenth of its time.
  largeJson: 4 * 2 ** 20,
}

/** The minimum bytes per second, `ms` milliseconds after the first byte. */
export function paceAfter({ bytesPerSecond, rises }: Pace, ms: number): number {
  if (rises === undefined || ms < rises.after) return bytesPerSecond
  const doubled = 1 + Math.floor((ms - rises.after) / rises.every)
  return Math.max(bytesPerSecond, Math.min(rises.most, bytesPerSecond * 2 ** doubled))
}

/** The pace of answers: clients on slow lines read in large pieces, with long pauses. */
export const answerPace = ({ grace, bytesPerSecond }: Pace): Pace => ({
  grace: 4 * grace,
  bytesPerSecond: bytesPerSecond / 8,
})

/** A deadline that each transferred byte extends, never beyond the grace period. Times are milliseconds of one clock. */
export class Allowance {
  private until: number
  private readonly began: number

  /** `total` is the count of bytes so far; `pending` bytes are transferred as one piece, and extend the grace. */
  constructor(
    private readonly pace: Pace,
    private total: number,
    now: number,
    pending = 0,
  ) {
    this.began = now
    this.until = this.most(now, pending)
  }

  /** False when too few bytes have been transferred by now; `total` counts them all. */
  lasts(total: number, now: number, pending = 0): boolean {
    this.until = Math.min(this.most(now, pending), this.until + this.timeOf(total - this.total, now))
    this.total = total
    return now <= this.until
  }

  /** Shortens the deadline to `left` milliseconds. */
  hurry(now: number, left: number): void {
    this.until = Math.min(this.until, now + left)
  }

  private most(now: number, pending: number): number {
    return now + this.pace.grace + this.timeOf(pending, now)
  }

  private timeOf(bytes: number, now: number): number {
    return (bytes / paceAfter(this.pace, now - this.began)) * 1000
  }
}
