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
  query(sql: string, values: readonly unknown[], done: Answered): void
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
/** Of statements that wait; a server takes a million at least. */
const MAX_CHARACTERS = 262_144
/** What a number or a digest takes, more or less. */
const BINDING_CHARACTERS = 16
/** From here on bytes as hexadecimal text cost more than preparing a statement. */
const MANY_BYTES = 1024
const NOTHING: Answer = [[], []]

/** Values that do not fit are refused and not cut; backslashes in texts are read as they are written. */
export const SQL_MODE = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'"
/** Locks as few rows as it can, not for long: unless told otherwise a server waits for 50 seconds, and all who come with it. */
const SESSION = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  SQL_MODE,
  'SET SESSION innodb_lock_wait_timeout = 3',
]
/** Ends the transaction of a host that stands still, which would hold its locks for hours; MySQL ends the whole connection. */
const IDLE_TRANSACTION = ['SET SESSION idle_transaction_timeout = 10', 'SET SESSION wait_timeout = 60']
const UNKNOWN_VARIABLE = 1193

/**
 * A connection to MySQL or MariaDB over the API of `mysql2`, for Knex in the same shape. A transaction begins with its first
 * statement, and inserts that wait go with what follows them: each packet costs host and server more than a small statement
 * does. The server ends with the first statement that fails.
 */
export class MysqlConnection {
  /** Statements of the transaction that go with the next one. */
  private waiting: readonly Statement[] = []
  /** Of those that went before, in the same transaction. */
  private failure: unknown

  /**
   * At a node of a Galera cluster each statement goes by itself (MariaDB 10.11): a packet of several hides that another node's
   * transaction ended this one; a commit in it is answered, and nothing is kept.
   */
  private constructor(
    readonly driven: Mysql2Connection,
    private readonly isNode: boolean,
  ) {}

  /** Gives a connection that is open its session. */
  static async begin(driven: Mysql2Connection): Promise<MysqlConnection> {
    const ask = async (sql: string) => send(driven, { sql, bindings: [] })
    for (const sql of SESSION) await ask(sql)
    await firstKnown(IDLE_TRANSACTION, ask)
    await firstKnown([CAUSAL], ask)
    const [rows] = await ask(IS_NODE)
    return new MysqlConnection(driven, Array.isArray(rows) && rows.length > 0)
  }

  /** A statement as Knex sends it. Nobody needs the answer of one that `waits`: it goes with what follows it. */
  query(options: { sql: string; waits?: boolean }, bindings: readonly unknown[] | undefined, done: Answered): void {
    const statement = { sql: options.sql, bindings: bindings ?? [] }
    const answer = options.waits ? this.keep(statement) : this.take(statement)
    answer.then(([rows, fields]) => done(null, rows, fields), done)
  }

  async rows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]> {
    return rowsOf('mysql', await this.take({ sql, bindings }))
  }

  private async keep(statement: Statement): Promise<Answer> {
    if (this.isNode || isAlone(statement)) return this.take(statement)
    const before = this.waiting
    const isMuch = size([...before, statement]) > MAX_CHARACTERS
    this.waiting = isMuch ? [statement] : [...before, statement]
    if (isMuch) await this.sendWaiting(before)
    await everybodyElse()
    return NOTHING
  }

  private async take(statement: Statement): Promise<Answer> {
    const { sql } = statement
    // The connection would take it; values are not in it yet.
    if (sql.slice(0, -1).includes(';')) throw new TypeError('Statements are sent one at a time')
    if (this.isNode) return send(this.driven, statement)
    const before = this.waiting
    const isToBegin = before[0]?.sql === BEGIN
    this.waiting = []
    if (sql === BEGIN) {
      this.failure = undefined
      this.waiting = [statement]
      return NOTHING
    }
    if (sql === COMMIT) return this.commit(before, statement)
    // What was never sent need not be taken back.
    if (sql === ROLLBACK) return isToBegin ? NOTHING : send(this.driven, statement)
    if (isToBegin && before.length === 1 && !isAlone(statement)) return this.sendBatch([...before, statement])
    await this.sendWaiting(before)
    return send(this.driven, statement)
  }

  /** Whoever comes next is told of a failure, and must not take it for a key of its own that is known; nor is it committed. */
  private async sendWaiting(before: readonly Statement[]): Promise<void> {
    if (before.length === 0) return
    try {
      await this.sendBatch(before)
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
      // The server does not come to the commit when a statement before it fails: the connection is still in the transaction.
      await send(this.driven, { sql: ROLLBACK, bindings: [] }).catch(() => undefined)
      throw error
    }
  }

  /** Sends statements in one packet, and answers the last one. */
  private async sendBatch(statements: readonly Statement[]): Promise<Answer> {
    const [only] = statements
    if (only !== undefined && statements.length === 1) return send(this.driven, only)
    const sql = statements.map((one) => one.sql.replace(/;$/, '')).join(';\n')
    const [rows, fields] = await send(this.driven, { sql, bindings: statements.flatMap(({ bindings }) => bindings) })
    return [Array.isArray(rows) ? rows.at(-1) : undefined, Array.isArray(fields) ? fields.at(-1) : undefined]
  }
}

/** Bytes go as they are where they are many: as text they are twice as long. Such a statement goes with no others. */
const isAlone = ({ sql, bindings }: Statement): boolean =>
  bindings.some((value) => value instanceof Uint8Array && value.length >= MANY_BYTES) && /^insert\b/i.test(sql)

function send(connection: Mysql2Connection, statement: Statement): Promise<Answer> {
  const { sql, bindings } = statement
  return new Promise((resolve, reject) => {
    const done: Answered = (error, rows, fields) => (error ? reject(error) : resolve([rows, fields]))
    if (isAlone(statement)) connection.execute(sql, bindings.map(bound), done)
    else connection.query(sql, bindings, done)
  })
}

/** What a statement of text would be written with. */
const bound = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : (value ?? null))

/** Asks the first statement whose variable the server knows; none of them need be known. */
async function firstKnown([sql, ...others]: readonly string[], ask: (sql: string) => Promise<unknown>): Promise<void> {
  if (sql === undefined) return
  try {
    await ask(sql)
  } catch (error) {
    if (Object(error).errno !== UNKNOWN_VARIABLE) throw error
    await firstKnown(others, ask)
  }
}

/** Characters, more or less. */
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

  override destroy(callback: (() => void) | undefined): Promise<void> {
    this.reads?.close()
    return super.destroy(callback)
  }

  /** Together with those of others that come in the same turn, where that can be. */
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

  /** A connection that takes several statements at a time, and changes nothing. */
  private async openReader(): Promise<Reader> {
    const reader: Reader = this.driver.createConnection({ ...this.connectionSettings, multipleStatements: true })
    const answers = await ask(reader, `${READS_ONLY}; ${IS_NODE}`)
    const isNode: unknown = Array.isArray(answers) ? answers.at(-1) : undefined
    if (!Array.isArray(isNode) || isNode.length === 0) return reader
    await ask(reader, CAUSAL)
    return causalReader(reader)
  }
}

/** Asks over a connection that is given up when it fails. */
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
