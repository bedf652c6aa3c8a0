import { setImmediate } from 'node:timers/promises'
import { databaseFailure } from './dialect.js'
import { Impatience } from './impatience.js'

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

const MOST_TOGETHER = 32
/** So that a group which waits for a lock does not hold the next one. */
const GROUPS_AT_ONCE = 3
/** Milliseconds that a group waits for those under way, and grows. */
const PATIENCE = 20

/**
 * Does together what comes at the same time: statements and commits of many cost little more than those of one. Not for who
 * is in a transaction, since a group has one of its own or none. Nobody waits while there is nobody else, and not for long
 * while there is; each succeeds or fails alone: of a group that fails, everybody is done again by themselves.
 */
export class Groups<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = []
  private underWay = 0
  private readonly impatience = new Impatience(PATIENCE, () => this.begin())

  /** `work` does all of its items or none, and gives a result for each in their order. */
  constructor(private readonly work: (items: readonly Item[]) => Promise<readonly Result[]>) {}

  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject })
      if (this.underWay === 0 || this.waiting.length % MOST_TOGETHER === 0) this.begin()
      else this.impatience.begin()
    })
  }

  private begin(): void {
    this.impatience.end()
    if (this.underWay < GROUPS_AT_ONCE) void this.workOff()
  }

  private async workOff(): Promise<void> {
    this.underWay += 1
    // Whoever comes in the same turn of the event loop comes along.
    await setImmediate()
    while (this.waiting.length > 0) {
      this.impatience.end()
      await this.together(this.waiting.splice(0, MOST_TOGETHER))
    }
    this.underWay -= 1
  }

  private async together(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(group.map(({ item }) => item))
      for (const [at, result] of results.entries()) group[at]?.resolve(result)
    } catch (error) {
      // A database that cannot be reached has nobody's fault in it: asking again for each would take that many times as long.
      if (group.length === 1 || databaseFailure(error) !== undefined) for (const { reject } of group) reject(error)
      else await Promise.all(group.map((one) => this.together([one])))
    }
  }
}
