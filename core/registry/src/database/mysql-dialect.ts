import type { Knex } from 'knex'
import Mysql2 from 'knex/lib/dialects/mysql2/index.js'
import type { Row } from './rows.js'
import { type Reader, SharedReads } from './shared-reads.js'

interface Query {
  readonly method?: string
  readonly sql?: string
  readonly bindings?: readonly unknown[]
  response?: unknown
}
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
  private openReader(): Promise<Reader> {
    const settings = { ...this.connectionSettings, multipleStatements: true }
    const reader: Reader = this.driver.createConnection(settings)
    return new Promise((resolve, reject) => {
      reader.on('error', reject)
      reader.query({ sql: READS_ONLY, timeout: MAX_WAIT }, (error) => {
        if (error === null) return resolve(reader)
        reader.destroy()
        reject(error)
      })
    })
  }

  override _query(connection: Connection, query: Query): Promise<object> {
    const { method, sql, bindings = [] } = query
    if (method !== 'insert' || sql === undefined || !bindings.some(isLarge)) return super._query(connection, query)
    return new Promise((resolve, reject) => {
      connection.execute(sql, bindings.map(bound), (error, rows, fields) => {
        if (error) return reject(error)
        query.response = [rows, fields]
        resolve(query)
      })
    })
  }
}

const isLarge = (value: unknown): boolean => value instanceof Uint8Array && value.length >= MANY_BYTES
/** What a statement of text would be written with. */
const bound = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : (value ?? null))

/**
 * Knex's dialect for MySQL, but that rows with many bytes are sent as they are, as text they are twice as long, and that
 * selects which are written out go together.
 */
export const MysqlDialect: typeof Knex.Client = OurMysql
