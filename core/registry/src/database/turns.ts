/** No turn came in time. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy'
}

/** Limits how many pieces of work run at once; the others wait for their turn, for a limited time. */
export class Turns {
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(
    atOnce: number,
    private readonly maxWaitMs: number,
  ) {
    this.free = atOnce
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.take()
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.free += 1
    }
  }

  private take(): Promise<void> {
    if (this.free > 0) {
      this.free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(begin), 1)
        reject(new DatabaseBusy(`No connection was free for a transaction within ${this.maxWaitMs} ms`))
      }, this.maxWaitMs)
      this.waiting.push(begin)
    })
  }
}
