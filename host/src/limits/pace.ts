/** How slowly bodies may come, and answers may be taken. */
export interface Pace {
  /** Milliseconds that a body may stand still; what came faster before buys no more. */
  readonly grace: number
  /** Bytes in a second. Answers may be taken an eighth so fast, and stand still four times as long. */
  readonly bytesPerSecond: number
  /** A body that goes on for longer than `after` milliseconds must come twice as fast, and again every so many, up to `most`. */
  readonly rises?: { readonly after: number; readonly every: number; readonly most: number }
  /** Bytes in a second at which large JSON is read at most: all that strangers send together, and that of each known caller. */
  readonly largeJson?: number
}

/** How many times as fast as others bodies have to come that memory is held for. */
export const FASTER = 4

const MINUTE = 60_000

export const defaultPace: Pace = {
  grace: 30_000,
  bytesPerSecond: 16 * 1024,
  rises: { after: 5 * MINUTE, every: 10 * MINUTE, most: 256 * 1024 },
  // 10 MiB take the loop for some 150 milliseconds: a sixteenth of its time.
  largeJson: 4 * 2 ** 20,
}

/** Bytes that have to come in a second, so many milliseconds after the first. */
export function paceAfter({ bytesPerSecond, rises }: Pace, ms: number): number {
  if (rises === undefined || ms < rises.after) return bytesPerSecond
  const doubled = 1 + Math.floor((ms - rises.after) / rises.every)
  return Math.max(bytesPerSecond, Math.min(rises.most, bytesPerSecond * 2 ** doubled))
}

/** The pace at which answers are to be taken: clients on slow lines read in large pieces, with long pauses. */
export const answerPace = ({ grace, bytesPerSecond }: Pace): Pace => ({
  grace: 4 * grace,
  bytesPerSecond: bytesPerSecond / 8,
})

/** Time that bytes buy: each some, and never more than the grace ahead. Moments are milliseconds of one clock. */
export class Allowance {
  private until: number
  private readonly began: number

  /** `total` counts the bytes that passed before; `pending` pass together, and may take longer. */
  constructor(
    private readonly pace: Pace,
    private total: number,
    now: number,
    pending = 0,
  ) {
    this.began = now
    this.until = this.most(now, pending)
  }

  /** False when too few bytes have passed until now; `total` counts them all. */
  lasts(total: number, now: number, pending = 0): boolean {
    this.until = Math.min(this.most(now, pending), this.until + this.timeOf(total - this.total, now))
    this.total = total
    return now <= this.until
  }

  /** Leaves so many milliseconds, unless more bytes pass. */
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
