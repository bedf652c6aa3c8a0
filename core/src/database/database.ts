import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Knex } from 'knex'
import { type Dialect, dialectOf, isRetryable } from './dialect.js'

const ATTEMPTS = 12
const PAUSE_MS = 5

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
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.pool.transaction((trx) => this.#transactions.run(trx, work))
      } catch (error) {
        if (attempt >= ATTEMPTS || !isRetryable(error)) throw error
        await pause(Math.random() * PAUSE_MS * 2 ** Math.min(attempt, 6))
      }
    }
  }
}
