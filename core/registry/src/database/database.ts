import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { type Dialect, dialectOf } from './dialect.js'
import { insertLater, insertRows, type NewRow, type OfKnownRows, type Statement, send } from './insert.js'
import { retryLost } from './retry.js'
import { type Row, rowsOf, selectRows } from './rows.js'
import { SharedCommits } from './shared-commits.js'
import { Turns } from './turns.js'

interface Transaction {
  readonly database: Database
  readonly trx: Knex.Transaction
  readonly afterCommit: (() => void)[]
  /** The transaction of another database around this one. */
  readonly outer: Transaction | undefined
}

/**
 * The transactions that the caller is in, the innermost first. One for all databases: in Node 20 and 22 every
 * AsyncLocalStorage that was ever used makes every asynchronous step of the process dearer, and is never freed.
 */
const transactions = new AsyncLocalStorage<Transaction>()
/** Of all databases. */
let underWay = 0

/** Lets asynchronous steps cost what they did before, as soon as nobody is in a transaction any more. */
async function counted<T>(work: () => Promise<T>): Promise<T> {
  underWay += 1
  try {
    return await work()
  } finally {
    underWay -= 1
    if (underWay === 0) transactions.disable()
  }
}

/** The connections that stores work with. */
export interface DatabasePool {
  readonly knex: Knex
  /**
   * True when an embedder made the pool: its connections may have another isolation level than ours, and what another
   * transaction committed while this one waited for a lock must be seen.
   */
  readonly isForeign: boolean
}
export const DatabasePool = port<DatabasePool>('DatabasePool', 'defaulted')

const READERS_SHARE = 4
const MAX_WAIT_MS = 5000

/** All connections but a quarter. */
function transactionsAtOnce(pool: Knex): number {
  const max: unknown = pool.client.pool?.max
  return typeof max === 'number' ? Math.max(1, max - Math.ceil(max / READERS_SHARE)) : Number.POSITIVE_INFINITY
}

/** The database as stores see it: the current transaction when there is one, else the pool. */
export class Database {
  static readonly inject = { pool: DatabasePool }
  private readonly pool: Knex
  readonly dialect: Dialect
  private readonly options: Knex.TransactionConfig
  /** MySQL does the same by itself. */
  private readonly shared: SharedCommits | undefined
  /** On MySQL, where transactions wait for each other's locks: some connections stay free for reading. */
  private readonly turns: Turns | undefined

  constructor({ pool: { knex: pool, isForeign } }: Injected<typeof Database.inject>) {
    this.pool = pool
    this.dialect = dialectOf(pool)
    if (this.dialect === 'sqlite') this.shared = new SharedCommits(pool)
    else this.turns = new Turns(transactionsAtOnce(pool), MAX_WAIT_MS)
    this.options = isForeign && this.dialect === 'mysql' ? { isolationLevel: 'read committed' } : {}
  }

  /** Where a store sends its query. */
  get query(): Knex {
    return this.current?.trx ?? this.pool
  }

  /** The rows of a `select` that is written out, with `?` for each value: for what every request asks. */
  rows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]> {
    const { current, dialect } = this
    return current === undefined
      ? selectRows(this.pool, dialect, sql, bindings)
      : this.rowsIn(current.trx, { method: 'raw', sql, bindings })
  }

  private async rowsIn(trx: Knex.Transaction, query: Statement): Promise<Row[]> {
    await send(trx, query)
    return rowsOf(this.dialect, query.response)
  }

  /**
   * Inserts rows that have the same columns, all or none of them, with one statement that is written out: for what every
   * registration keeps. Answers the number that the database gave the first of them; those of the others are higher.
   */
  async insert(table: string, rows: readonly NewRow[], ofKnown: OfKnownRows = 'refuse'): Promise<number> {
    return this.transaction(() => {
      const { current } = this
      if (current === undefined) throw new TypeError('No transaction is under way')
      return insertRows(current.trx, this.dialect, table, rows, ofKnown)
    })
  }

  /**
   * As `insert`, for rows whose numbers nobody needs and whose keys are new: on MySQL they go there together with what
   * follows in the transaction, with its commit at the latest, and their failure is that of what follows.
   */
  async insertLater(table: string, rows: readonly NewRow[], ofKnown: OfKnownRows = 'refuse'): Promise<void> {
    return this.transaction(() => {
      const { current } = this
      if (current === undefined) throw new TypeError('No transaction is under way')
      return insertLater(current.trx, this.dialect, table, rows, ofKnown)
    })
  }

  /** True where what is asked for sees what the current transaction has changed. */
  get inTransaction(): boolean {
    return this.current !== undefined
  }

  /**
   * Runs `work` in one transaction: all of its effects are kept, or none.
   * After a deadlock or a certification failure it runs again from the beginning, so it must do nothing but database work.
   * Inside another transaction it joins that one.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.current) return work()
    let afterCommit: Transaction['afterCommit'] = []
    const attempt = (trx: Knex.Transaction) => {
      afterCommit = []
      return transactions.run({ database: this, trx, afterCommit, outer: transactions.getStore() }, work)
    }
    const result = await counted(() => this.shared?.run(attempt) ?? this.takeTurn(attempt))
    for (const call of afterCommit) call()
    return result
  }

  private takeTurn<T>(attempt: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const run = () => retryLost(() => this.pool.transaction(attempt, this.options))
    return this.turns?.run(run) ?? run()
  }

  /** Calls back once the current transaction is committed, and never when it is not; outside of one, at once. */
  afterCommit(call: () => void): void {
    const transaction = this.current
    if (transaction === undefined) call()
    else transaction.afterCommit.push(call)
  }

  private get current(): Transaction | undefined {
    let transaction = transactions.getStore()
    while (transaction !== undefined && transaction.database !== this) transaction = transaction.outer
    return transaction
  }
}
