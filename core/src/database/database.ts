import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'
import { type Dialect, dialectOf } from './dialect.js'
import { retryLost } from './retry.js'

/** The database as stores see it: the current transaction when there is one, else the pool. */
export class Database {
  readonly dialect: Dialect
  readonly #transactions = new AsyncLocalStorage<Knex.Transaction>()

  constructor(private readonly pool: Knex) {
    this.dialect = dialectOf(pool)
  }

  /** Where a store sends its query. */
  get query(): Knex {
    return this.#transactions.getStore() ?? this.pool
  }

  /**
   * Runs `work` in one transaction: all of its effects are kept, or none.
   * After a deadlock or a certification failure it runs again from the beginning, so it must do nothing but database work.
   * Inside another transaction it joins that one.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#transactions.getStore()) return work()
    return retryLost(() => this.pool.transaction((trx) => this.#transactions.run(trx, work)))
  }
}
