import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { Tracer } from '../kernel/tracer.js'
import { type Dialect, dialectOf } from './dialect.js'
import { type OwnClient, ownClient } from './knex-dialect.js'
import type { Replica, ReplicaFigures } from './replica.js'
import { firstNumber, insertion, type NewRow, type OnDuplicate, type Row, rowsOf } from './table.js'
import { retryLost, type SentStatement, SharedCommits, Transaction } from './transaction.js'
import { Turns } from './turns.js'

/**
 * The transactions that the caller is in, the innermost first. One storage for all databases: in Node 20 and 22 each
 * AsyncLocalStorage ever used slows every asynchronous step of the process down, and is never freed.
 */
const transactions = new AsyncLocalStorage<Transaction>()
/** Transactions of all databases. */
let underWay = 0
/** Statements sent past Knex's builders. */
let sent = 0

/** A statement in the shape of Knex's, whose id tells it from all others: two databases may share a pool. */
function numbered(sql: string, bindings: readonly Knex.Value[]) {
  sent += 1
  return { method: 'raw', sql, bindings, __knexQueryUid: `written out ${sent}` }
}

/** Takes the cost off asynchronous steps again as soon as no transaction is under way. */
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
   * True when an embedder made the pool, whose isolation level may differ: a transaction that waited for a lock must see
   * what others committed meanwhile.
   */
  readonly isForeign: boolean
  /** What may be read beside it; nothing unless given. */
  readonly replica?: Replica | undefined
}
export const DatabasePool = port<DatabasePool>('DatabasePool', 'defaulted')

/** What we use of Knex's client of a transaction. */
interface TransactionClient {
  acquireConnection(): Promise<object>
  query(connection: object, statement: object): Promise<{ readonly response: unknown }>
  emit(event: 'query-response', response: unknown, statement: object): void
}

const READERS_SHARE = 4
const MAX_WAIT_MS = 5000

/** All connections but a quarter. */
function transactionsAtOnce(pool: Knex): number {
  const max: unknown = pool.client.pool?.max
  return typeof max === 'number' ? Math.max(1, max - Math.ceil(max / READERS_SHARE)) : Number.POSITIVE_INFINITY
}

/** The database as stores see it: the current transaction when there is one, else the pool. */
export class Database {
  static readonly inject = { pool: DatabasePool, tracer: Tracer }
  private readonly pool: Knex
  readonly dialect: Dialect
  private readonly options: Knex.TransactionConfig
  private readonly own: OwnClient | undefined
  /** For SQLite; MySQL groups commits by itself. */
  private readonly shared: SharedCommits | undefined
  /** For MySQL, where transactions wait for each other's locks: some connections stay free for reads. */
  private readonly turns: Turns | undefined
  private readonly replica: Replica | undefined
  private readonly tracer: Tracer | undefined

  constructor({
    pool: { knex: pool, isForeign, replica },
    tracer,
  }: Pick<Injected<typeof Database.inject>, 'pool'> & { readonly tracer?: Tracer | undefined }) {
    this.pool = pool
    this.replica = replica
    this.tracer = tracer
    tracer?.statements(pool)
    if (tracer !== undefined) replica?.traceBy(tracer)
    this.dialect = dialectOf(pool)
    this.own = ownClient(pool.client)
    if (this.dialect === 'sqlite') this.shared = new SharedCommits((work) => this.begin(work))
    else this.turns = new Turns(transactionsAtOnce(pool), MAX_WAIT_MS)
    this.options = isForeign && this.dialect === 'mysql' ? { isolationLevel: 'read committed' } : {}
  }

  /** Where a store sends its query. */
  get query(): Knex {
    return this.current?.trx ?? this.pool
  }

  /** The rows of a `select` in SQL, with `?` for each value: for the reads of every request, which skip Knex's builder. */
  async rows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]> {
    const { current, own } = this
    if (current === undefined && own !== undefined)
      return this.announced(sql, bindings, () => own.selectRows(sql, bindings))
    return rowsOf(this.dialect, await this.query.raw(sql, bindings))
  }

  /**
   * Runs selects that read much, at a replica where there is one: it answers as this database would, of some moment after
   * the call. In a transaction they see what it has changed.
   */
  async read<T>(work: (query: Knex) => Promise<T>): Promise<T> {
    const answer = this.inTransaction ? undefined : await this.replica?.read(this, work)
    return answer === undefined ? work(this.query) : answer.found
  }

  /** How often `read` was answered by the replica; `undefined` where there is none. */
  get replicaFigures(): ReplicaFigures | undefined {
    return this.replica?.figures
  }

  /**
   * Inserts rows of the same columns, all or none, with one statement that skips Knex's builder: for the writes of every
   * registration. Returns the generated id of the first row; those of the others are higher.
   */
  async insert(table: string, rows: readonly NewRow[], onDuplicate: OnDuplicate = 'refuse'): Promise<number> {
    return this.transaction(async () => {
      const response = await this.send(insertion(this.dialect, table, rows, onDuplicate))
      return firstNumber(this.dialect, response, rows.length)
    })
  }

  /**
   * Like `insert`, for rows with new keys whose ids nobody needs: on MySQL they are sent along with the next statement of
   * the transaction, at the latest with its commit, which fails if they do.
   */
  async insertLater(table: string, rows: readonly NewRow[], onDuplicate: OnDuplicate = 'refuse'): Promise<void> {
    return this.transaction(async () => {
      await this.send(insertion(this.dialect, table, rows, onDuplicate), { waits: true })
    })
  }

  /**
   * Sends a complete statement over the connection of the transaction. Knex's `raw` would parse and copy it for each of its
   * layers: up to a tenth of the processor time of a registration on MariaDB.
   */
  private async send([sql, bindings]: readonly [string, Knex.Value[]], options = {}): Promise<unknown> {
    const client: TransactionClient = this.query.client
    const statement = { ...numbered(sql, bindings), options }
    const { response } = await client.query(await client.acquireConnection(), statement)
    client.emit('query-response', response, statement)
    return response
  }

  /** Sends a statement past Knex, and notifies its listeners as it would. */
  private async announced<T>(sql: string, bindings: readonly Knex.Value[], send: () => Promise<T>): Promise<T> {
    if (this.pool.listenerCount('query') === 0) return send()
    const statement = numbered(sql, bindings)
    this.pool.emit('query', statement)
    try {
      const response = await send()
      this.pool.emit('query-response', response, statement)
      return response
    } catch (error) {
      this.pool.emit('query-error', error, statement)
      throw error
    }
  }

  /** True when queries run in a transaction, and see what it has changed. */
  get inTransaction(): boolean {
    return this.current !== undefined
  }

  /**
   * Runs `work` in one transaction: all of its effects are kept, or none.
   * After a deadlock or a Galera certification failure it runs again, so it must do nothing but database work.
   * Inside another transaction it joins that one.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.current) return work()
    let last: Transaction | undefined
    const attempt = (trx: Knex.Transaction) => {
      const current = new Transaction(this, trx, transactions.getStore())
      last = current
      return transactions.run(current, () => current.run(work))
    }
    const run = () => counted(() => this.shared?.run(attempt) ?? this.takeTurn(attempt))
    const result = await (this.tracer === undefined ? run() : this.tracer.transaction(run))
    for (const call of last?.afterCommit ?? []) call()
    return result
  }

  private takeTurn<T>(attempt: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const run = () => retryLost(() => this.begin(attempt))
    return this.turns?.run(run) ?? run()
  }

  /** Begins a transaction, and counts the statements that Knex sends in it. */
  private begin<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    return this.pool.transaction((trx) => {
      trx.on('query', (statement: SentStatement) => this.current?.begin(statement))
      trx.on('query-response', (_: unknown, statement: SentStatement) => this.current?.end(statement))
      trx.on('query-error', (error: unknown, statement: SentStatement) => this.current?.end(statement, error))
      return work(trx)
    }, this.options)
  }

  /** Calls back after the commit of the current transaction, never if it fails; outside of one, at once. */
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
