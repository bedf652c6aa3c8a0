/** Numbers that look random and are the same for the same seed (Park and Miller). */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = (Math.abs(Math.trunc(seed)) % 2_147_483_646) + 1
  }

  /** From 0 to below `limit`. */
  below(limit: number): number {
    this.state = (this.state * 48_271) % 2_147_483_647
    return this.state % limit
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new RangeError('nothing to pick from')
    return from[this.below(from.length)] as T
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)))
  }
}
