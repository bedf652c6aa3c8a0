import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'
import { type Dialect, dialectOf } from './dialect.js'
import { retryLost } from './retry.js'
import { SharedCommits } from './shared-commits.js'

interface Transaction {
  readonly trx: Knex.Transaction
  readonly afterCommit: (() => void)[]
}

/** The database as stores see it: the current transaction when there is one, else the pool. */
export class Database {
  readonly dialect: Dialect
  readonly #options: Knex.TransactionConfig
  readonly #transactions = new AsyncLocalStorage<Transaction>()
  /** MySQL does the same by itself. */
  readonly #shared: SharedCommits | undefined

  /**
   * `isForeign` says that an embedder made the pool: its connections may have another isolation level than ours, and what
   * another transaction committed while this one waited for a lock must be seen.
   */
  constructor(
    private readonly pool: Knex,
    { isForeign = false }: { isForeign?: boolean } = {},
  ) {
    this.dialect = dialectOf(pool)
    if (this.dialect === 'sqlite') this.#shared = new SharedCommits(pool)
    this.#options = isForeign && this.dialect === 'mysql' ? { isolationLevel: 'read committed' } : {}
  }

  /** Where a store sends its query. */
  get query(): Knex {
    return this.#transactions.getStore()?.trx ?? this.pool
  }

  /**
   * Runs `work` in one transaction: all of its effects are kept, or none.
   * After a deadlock or a certification failure it runs again from the beginning, so it must do nothing but database work.
   * Inside another transaction it joins that one.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#transactions.getStore()) return work()
    let afterCommit: Transaction['afterCommit'] = []
    const attempt = (trx: Knex.Transaction) => {
      afterCommit = []
      return this.#transactions.run({ trx, afterCommit }, work)
    }
    const result = await (this.#shared?.run(attempt) ?? retryLost(() => this.pool.transaction(attempt, this.#options)))
    for (const call of afterCommit) call()
    return result
  }

  /** Calls back once the current transaction is committed, and never when it is not; outside of one, at once. */
  afterCommit(call: () => void): void {
    const transaction = this.#transactions.getStore()
    if (transaction === undefined) call()
    else transaction.afterCommit.push(call)
  }
}
