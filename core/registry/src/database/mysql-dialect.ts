import type { Knex } from 'knex'
import { CAUSAL, causalReader, IS_NODE } from './causal-reader.js'
import { isUniqueViolation } from './dialect.js'
import { knexDialect, type OwnClient } from './knex-dialect.js'
import { type Reader, SharedReads } from './shared-reads.js'
import { type Row, rowsOf } from './table.js'
import { everybodyElse } from './transaction.js'

type Answered = (error: Error | null, rows?: unknown, fields?: unknown) => void
type Answer = readonly [rows: unknown, fields: unknown]

/** What we use of a connection of `mysql2`. */
export interface Mysql2Connection {
  query(statement: { sql: string; timeout?: number }, values: readonly unknown[], done: Answered): void
  destroy(): void
  execute(sql: string, values: readonly unknown[], done: Answered): void
}

interface Statement {
  readonly sql: string
  readonly bindings: readonly unknown[]
}

/** As Knex sends them. */
const BEGIN = 'BEGIN;'
const COMMIT = 'COMMIT;'
const ROLLBACK = 'ROLLBACK'
/** Of a packet of waiting statements; every server takes at least a million. */
const MAX_CHARACTERS = 262_144
/** About the size of a number or a digest. */
const BINDING_CHARACTERS = 16
/** From this size on, bytes as hexadecimal text cost more than a prepared statement. */
const MANY_BYTES = 1024
const READS = /^select\b/i
const NOTHING: Answer = [[], []]
const nothing = () => undefined

/** Values that do not fit are refused, not truncated; backslashes are escapes. */
export const SQL_MODE = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'"
/** Locks few rows, and waits briefly for locks: the default is 50 seconds, during which others queue up behind. */
const SESSION = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  SQL_MODE,
  'SET SESSION innodb_lock_wait_timeout = 3',
]
/** Ends the transaction of a frozen host, which would hold its locks for hours; on MySQL, its whole connection. */
const IDLE_TRANSACTION = ['SET SESSION idle_transaction_timeout = 10', 'SET SESSION wait_timeout = 60']
const UNKNOWN_VARIABLE = 1193
/** Of mysql2. */
const TIMED_OUT = 'PROTOCOL_SEQUENCE_TIMEOUT'

/**
 * A connection to MySQL or MariaDB over `mysql2`, with the same API for Knex. BEGIN is sent along with the first statement,
 * and deferred inserts with the next one: a packet costs host and server more than a small statement. The server stops at
 * the first statement that fails.
 */
export class MysqlConnection {
  /** Statements to send along with the next one of the transaction. */
  private waiting: readonly Statement[] = []
  /** Of waiting statements sent earlier in the transaction. */
  private failure: unknown
  /** Settles with the last statement. */
  private last: Promise<unknown> = Promise.resolve()
  /** Milliseconds after which a statement fails, and the connection with it; without, a server that hangs is waited for. */
  maxMs: number | undefined

  /**
   * To a Galera node each statement is sent alone (MariaDB 10.11): a packet of several hides that a transaction of another
   * node aborted this one, and its commit succeeds without keeping anything.
   */
  private constructor(
    readonly driven: Mysql2Connection,
    private readonly isNode: boolean,
  ) {}

  /** Sets up the session of an open connection. */
  static async begin(driven: Mysql2Connection): Promise<MysqlConnection> {
    const ask = async (sql: string) => send(driven, { sql, bindings: [] })
    for (const sql of SESSION) await ask(sql)
    await firstKnown(IDLE_TRANSACTION, ask)
    await firstKnown([CAUSAL], ask)
    const [rows] = await ask(IS_NODE)
    return new MysqlConnection(driven, Array.isArray(rows) && rows.length > 0)
  }

  /** A statement as Knex sends it. One that `waits` is answered at once, and sent along with the next one. */
  query(options: { sql: string; waits?: boolean }, bindings: readonly unknown[] | undefined, done: Answered): void {
    const statement = { sql: options.sql, bindings: bindings ?? [] }
    const answer = this.inTurn(() => (options.waits ? this.keep(statement) : this.take(statement)))
    answer.then(([rows, fields]) => done(null, rows, fields), done)
  }

  async rows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]> {
    return rowsOf('mysql', await this.inTurn(() => this.take({ sql, bindings })))
  }

  /** A statement may wait for others to be sent: a rollback that overtook it would leave it outside of its transaction. */
  private inTurn(answer: () => Promise<Answer>): Promise<Answer> {
    const answered = this.last.then(answer)
    this.last = answered.then(nothing, nothing)
    return answered
  }

  private async keep(statement: Statement): Promise<Answer> {
    if (this.isNode || isAlone(statement)) return this.take(statement)
    const before = this.waiting
    const isFull = size([...before, statement]) > MAX_CHARACTERS
    this.waiting = isFull ? [statement] : [...before, statement]
    if (isFull) await this.sendWaiting(before)
    await everybodyElse()
    return NOTHING
  }

  private async take(statement: Statement): Promise<Answer> {
    const { sql } = statement
    // The connection allows several statements; values are not in the text yet.
    if (sql.slice(0, -1).includes(';')) throw new TypeError('Statements are sent one at a time')
    if (this.isNode) return this.send(statement)
    const before = this.waiting
    const isNotBegun = before[0]?.sql === BEGIN
    this.waiting = []
    if (sql === BEGIN) {
      this.failure = undefined
      this.waiting = [statement]
      return NOTHING
    }
    if (sql === COMMIT) return this.commit(before, statement)
    // What was never sent need not be rolled back.
    if (sql === ROLLBACK) return isNotBegun ? NOTHING : this.send(statement)
    if (isNotBegun && before.length === 1 && !isAlone(statement)) return this.sendBatch([...before, statement])
    if (before.length > 0 && READS.test(sql)) return this.sendWaiting([...before, statement])
    if (before.length > 0) await this.sendWaiting(before)
    return this.send(statement)
  }

  /**
   * Sends statements that waited, and may send a read along, which no duplicate key can come from. A failure is thrown to the
   * next statement, which must not take it for a duplicate key of its own, and blocks the commit.
   */
  private async sendWaiting(statements: readonly Statement[]): Promise<Answer> {
    try {
      return await this.sendBatch(statements)
    } catch (error) {
      const isKnown = isUniqueViolation(error)
      this.failure = isKnown ? new Error('A row that was to be kept has a known key', { cause: error }) : error
      throw this.failure
    }
  }

  private async commit(before: readonly Statement[], commit: Statement): Promise<Answer> {
    if (before.length === 1 && before[0]?.sql === BEGIN) return NOTHING
    try {
      if (this.failure !== undefined) throw this.failure
      return await this.sendBatch([...before, commit])
    } catch (error) {
      // The server stops before the commit when an earlier statement fails: the transaction is still open.
      await this.send({ sql: ROLLBACK, bindings: [] }).catch(() => undefined)
      throw error
    }
  }

  private async send(statement: Statement): Promise<Answer> {
    try {
      return await send(this.driven, statement, this.maxMs)
    } catch (error) {
      if (Object(error).code === TIMED_OUT) this.driven.destroy()
      throw error
    }
  }

  /** Sends statements in one packet, and returns the answer of the last one. */
  private async sendBatch(statements: readonly Statement[]): Promise<Answer> {
    const [only] = statements
    if (only !== undefined && statements.length === 1) return this.send(only)
    const sql = statements.map((one) => one.sql.replace(/;$/, '')).join(';\n')
    const [rows, fields] = await this.send({ sql, bindings: statements.flatMap(({ bindings }) => bindings) })
    return [Array.isArray(rows) ? rows.at(-1) : undefined, Array.isArray(fields) ? fields.at(-1) : undefined]
  }
}

/** Many bytes are sent in binary, in a statement of their own: as text they are twice as long. */
const isAlone = ({ sql, bindings }: Statement): boolean =>
  bindings.some((value) => value instanceof Uint8Array && value.length >= MANY_BYTES) && /^insert\b/i.test(sql)

function send(connection: Mysql2Connection, statement: Statement, timeout?: number): Promise<Answer> {
  const { sql, bindings } = statement
  return new Promise((resolve, reject) => {
    const done: Answered = (error, rows, fields) => (error ? reject(error) : resolve([rows, fields]))
    if (isAlone(statement)) connection.execute(sql, bindings.map(bound), done)
    else connection.query({ sql, ...(timeout !== undefined && { timeout }) }, bindings, done)
  })
}

/** As the text protocol writes it. */
const bound = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : (value ?? null))

/** Runs the first statement whose variable the server knows, if any. */
async function firstKnown([sql, ...others]: readonly string[], ask: (sql: string) => Promise<unknown>): Promise<void> {
  if (sql === undefined) return
  try {
    await ask(sql)
  } catch (error) {
    if (Object(error).errno !== UNKNOWN_VARIABLE) throw error
    await firstKnown(others, ask)
  }
}

/** Approximate length in characters. */
const size = (statements: readonly Statement[]): number =>
  statements.reduce((sum, { sql, bindings }) => {
    const texts = bindings.map((value) => (typeof value === 'string' ? value.length : BINDING_CHARACTERS))
    return texts.reduce((all, length) => all + length, sum + sql.length)
  }, 0)

const READS_ONLY = `SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY; ${SQL_MODE}`
const MAX_WAIT_MS = 5000

/** Knex's dialect for MySQL, with connections and reads of our own. */
export class MysqlDialect extends knexDialect('mysql2') implements OwnClient {
  private reads: SharedReads | undefined

  override async acquireRawConnection(): Promise<MysqlConnection> {
    const driven: Mysql2Connection = await super.acquireRawConnection()
    try {
      return await MysqlConnection.begin(driven)
    } catch (error) {
      await super.destroyRawConnection(driven)
      throw error
    }
  }

  override validateConnection({ driven }: MysqlConnection): Promise<boolean> {
    return super.validateConnection(driven)
  }

  override destroyRawConnection({ driven }: MysqlConnection): Promise<void> {
    return super.destroyRawConnection(driven)
  }

  /** Knex reads streams from a connection of the driver. */
  override stream(connection: MysqlConnection, query: unknown, stream: unknown, options: unknown): Promise<void> {
    return super.stream(connection.driven, query, stream, options)
  }

  override destroy(callback: (() => void) | undefined): Promise<void> {
    this.reads?.close()
    return super.destroy(callback)
  }

  /** In one packet with other reads of the same turn of the event loop, where possible. */
  async selectRows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]> {
    if (this.pool !== undefined) {
      this.reads ??= new SharedReads(() => this.openReader())
      const rows = await this.reads.ask(sql, bindings)
      if (rows !== undefined) return rows
    }
    const connection: MysqlConnection = await this.acquireConnection()
    try {
      return await connection.rows(sql, bindings)
    } finally {
      await this.releaseConnection(connection)
    }
  }

  /** A read-only connection that takes several statements at a time. */
  private async openReader(): Promise<Reader> {
    const reader: Reader = this.driver.createConnection({ ...this.connectionSettings, multipleStatements: true })
    const answers = await ask(reader, `${READS_ONLY}; ${IS_NODE}`)
    const isNode: unknown = Array.isArray(answers) ? answers.at(-1) : undefined
    if (!Array.isArray(isNode) || isNode.length === 0) return reader
    await ask(reader, CAUSAL)
    return causalReader(reader)
  }
}

/** Runs a statement, and destroys the connection if it fails. */
function ask(reader: Reader, sql: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    reader.on('error', reject)
    reader.query({ sql, timeout: MAX_WAIT_MS }, (error, answer) => {
      if (error === null) return resolve(answer)
      reader.destroy()
      reject(error)
    })
  })
}
