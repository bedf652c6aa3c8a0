import type { Knex } from 'knex'
import { everybodyElse } from './everybody-else.js'

/**
 * What work in a transaction has of it. The work has to wait for each of its statements, else nothing of it is kept: one
 * that fails unheard, or comes after the commit, would be lost without a word.
 */
export class Transaction {
  readonly afterCommit: (() => void)[] = []
  private underWay = 0
  private state: 'working' | 'ending' | 'over' = 'working'
  private fault: Error | undefined

  constructor(
    /** Whose it is. */
    readonly database: object,
    readonly trx: Knex.Transaction,
    /** The transaction of another database around this one. */
    readonly outer: Transaction | undefined,
  ) {}

  /** Does the work; throws where it did not wait for a statement. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      if (this.underWay > 0) this.blame('commit')
      this.state = 'ending'
      await everybodyElse()
      if (this.fault !== undefined) throw this.fault
      return result
    } finally {
      this.state = 'over'
    }
  }

  /** Counts a statement that begins. */
  begin({ sql }: { sql: string }): void {
    if (this.state === 'over') throw new TypeError(`The transaction is over, an \`await\` is missing before: ${sql}`)
    if (this.state === 'ending' || this.underWay > 0) this.blame(sql)
    this.underWay += 1
  }

  /** Counts one that ended. */
  end(): void {
    this.underWay -= 1
  }

  private blame(next: string): void {
    this.fault ??= new TypeError(`A transaction did not wait for a statement, an \`await\` is missing before: ${next}`)
  }
}
