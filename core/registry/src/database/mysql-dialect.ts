import type { Knex } from 'knex'
import Mysql2 from 'knex/lib/dialects/mysql2/index.js'
import { CAUSAL, causalReader, IS_NODE } from './causal-reader.js'
import { type Query, sendJoined } from './joined-statements.js'
import type { Row } from './rows.js'
import { type Reader, SharedReads } from './shared-reads.js'

type Answer = (error: Error | null, rows: unknown, fields: unknown) => void
interface Connection {
  execute(sql: string, values: readonly unknown[], done: Answer): void
}

/** From here on bytes as hexadecimal text cost more than preparing a statement. */
const MANY_BYTES = 1024

/** Values that do not fit are refused and not cut; backslashes in texts are read as they are written. */
export const SQL_MODE = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'"
const READS_ONLY = `SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY; ${SQL_MODE}`

/** Milliseconds. */
const MAX_WAIT = 5000

class OurMysql extends Mysql2 {
  private reads: SharedReads | undefined

  /** The rows of a `select`, asked together with those of others; `undefined` where it is to be asked by itself. */
  readTogether(sql: string, bindings: readonly Knex.Value[]): Promise<Row[] | undefined> | undefined {
    if (this.pool === undefined) return undefined
    this.reads ??= new SharedReads(() => this.openReader())
    return this.reads.ask(sql, bindings)
  }

  override destroy(callback: (() => void) | undefined): Promise<void> {
    this.reads?.close()
    return super.destroy(callback)
  }

  /** A connection that takes several statements at a time, and changes nothing. */
  private async openReader(): Promise<Reader> {
    const settings = { ...this.connectionSettings, multipleStatements: true }
    const reader: Reader = this.driver.createConnection(settings)
    const answers = await ask(reader, `${READS_ONLY}; ${IS_NODE}`)
    const isNode: unknown = Array.isArray(answers) ? answers.at(-1) : undefined
    if (!Array.isArray(isNode) || isNode.length === 0) return reader
    await ask(reader, CAUSAL)
    return causalReader(reader)
  }

  override _query(connection: Connection, query: Query): Promise<object> {
    const isAlone = hasManyBytes(query)
    // What is sent with or before it never has many bytes: it would have gone alone itself.
    const send = (one: Query) => (isAlone && one === query ? execute(connection, one) : super._query(connection, one))
    return sendJoined(connection, query, send, isAlone)
  }
}

/** Asks over a connection that is given up when it fails. */
function ask(reader: Reader, sql: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    reader.on('error', reject)
    reader.query({ sql, timeout: MAX_WAIT }, (error, answer) => {
      if (error === null) return resolve(answer)
      reader.destroy()
      reject(error)
    })
  })
}

function execute(connection: Connection, query: Query): Promise<object> {
  return new Promise((resolve, reject) => {
    connection.execute(query.sql ?? '', (query.bindings ?? []).map(bound), (error, rows, fields) => {
      if (error) return reject(error)
      query.response = [rows, fields]
      resolve(query)
    })
  })
}

const hasManyBytes = ({ method, bindings = [] }: Query): boolean =>
  method === 'insert' && bindings.some((value) => value instanceof Uint8Array && value.length >= MANY_BYTES)
/** What a statement of text would be written with. */
const bound = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : (value ?? null))

/**
 * Knex's dialect for MySQL, but that rows with many bytes are sent as they are, as text they are twice as long, and that
 * statements go together: selects which are written out, and those of a transaction that nobody needs an answer of.
 */
export const MysqlDialect: typeof Knex.Client = OurMysql
