/** How slowly bodies may come, and answers may be taken. */
export interface Pace {
  /** Milliseconds that a body may stand still; what came faster before buys no more. */
  readonly grace: number
  /** Bytes in a second. Answers may be taken an eighth so fast, and stand still four times as long. */
  readonly bytesPerSecond: number
}

export const defaultPace: Pace = { grace: 30_000, bytesPerSecond: 16 * 1024 }

/** The pace at which answers are to be taken: clients on slow lines read in large pieces, with long pauses. */
export const answerPace = ({ grace, bytesPerSecond }: Pace): Pace => ({
  grace: 4 * grace,
  bytesPerSecond: bytesPerSecond / 8,
})

/** Time that bytes buy: each some, and never more than the grace ahead. Moments are milliseconds of one clock. */
export class Allowance {
  private until: number

  /** `total` counts the bytes that passed before; `pending` pass together, and may take longer. */
  constructor(
    private readonly pace: Pace,
    private total: number,
    now: number,
    pending = 0,
  ) {
    this.until = this.most(now, pending)
  }

  /** False when too few bytes have passed until now; `total` counts them all. */
  lasts(total: number, now: number, pending = 0): boolean {
    this.until = Math.min(this.most(now, pending), this.until + this.timeOf(total - this.total))
    this.total = total
    return now <= this.until
  }

  /** Leaves so many milliseconds, unless more bytes pass. */
  hurry(now: number, left: number): void {
    this.until = Math.min(this.until, now + left)
  }

  private most(now: number, pending: number): number {
    return now + this.pace.grace + this.timeOf(pending)
  }

  private timeOf(bytes: number): number {
    return (bytes / this.pace.bytesPerSecond) * 1000
  }
}
