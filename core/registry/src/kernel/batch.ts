import { AsyncResource } from 'node:async_hooks'

/** How large batches are, and how many run at a time. */
export interface BatchLimits {
  /** Items in one batch. */
  readonly items: number
  /** Batches that run at a time; items that arrive meanwhile make up the next one. */
  readonly atOnce: number
  /** Once an item has waited for `ms`, all that wait begin, as long as fewer than `atOnce` batches are running. */
  readonly whenSlow?: { readonly ms: number; readonly atOnce: number }
  /** Whether the items of a batch that failed so are done again one by one: each succeeds or fails alone. */
  readonly orEachAlone?: (error: unknown) => boolean
}

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result | PromiseLike<Result>): void
  reject(error: unknown): void
  /** The asynchronous context of its caller. */
  readonly caller: AsyncResource
}

/** Processes together the items that arrive in one turn of the event loop, or while earlier batches run. */
export class Batch<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = []
  private underWay = 0
  private isTurnAwaited = false
  private timer: NodeJS.Timeout | undefined

  /** `work` returns one result per item, in order; if it throws, every item of the batch fails, unless each is done alone. */
  constructor(
    private readonly work: (items: readonly Item[]) => Promise<readonly (Result | PromiseLike<Result>)[]>,
    private readonly limits: BatchLimits,
  ) {}

  /** The result of one item. */
  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject, caller: new AsyncResource('batch') })
      this.awaitTurn()
    })
  }

  private awaitTurn(): void {
    const { atOnce, whenSlow } = this.limits
    if (this.isTurnAwaited || this.waiting.length === 0) return
    if (this.underWay < atOnce) {
      this.isTurnAwaited = true
      setImmediate(() => {
        this.isTurnAwaited = false
        this.begin(atOnce)
      })
    } else if (whenSlow !== undefined) {
      this.timer ??= setTimeout(() => this.begin(whenSlow.atOnce), whenSlow.ms)
    }
  }

  private begin(atOnce: number): void {
    clearTimeout(this.timer)
    this.timer = undefined
    while (this.waiting.length > 0 && this.underWay < atOnce) void this.doNext()
    this.awaitTurn()
  }

  private async doNext(): Promise<void> {
    const batch = this.waiting.splice(0, this.limits.items)
    this.underWay += 1
    await this.settle(batch)
    this.underWay -= 1
    this.awaitTurn()
  }

  private async settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const rejectAll = (error: unknown) => {
      for (const { reject } of batch) reject(error)
    }
    try {
      // As part of the first caller's request, not of the one that began the batch before.
      const work = () => this.work(batch.map(({ item }) => item))
      const results = await (batch[0]?.caller.runInAsyncScope(work) ?? [])
      if (results.length !== batch.length)
        return rejectAll(new TypeError(`${results.length} results of ${batch.length} items`))
      for (const [at, result] of results.entries()) batch[at]?.resolve(result)
    } catch (error) {
      if (batch.length === 1 || this.limits.orEachAlone?.(error) !== true) return rejectAll(error)
      await Promise.all(batch.map((one) => this.settle([one])))
    }
  }
}
