import { closeSync, existsSync, openSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import type { Knex } from 'knex'
import { knexDialect, type OwnClient } from './knex-dialect.js'
import type { Row } from './table.js'
import { everybodyElse } from './transaction.js'

const require = createRequire(import.meta.url)

/** What we use of a database connection in the shape of Node's own `node:sqlite`. */
interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}
interface Statement {
  all(...bindings: unknown[]): Record<string, unknown>[]
  run(...bindings: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
}
interface Driver {
  DatabaseSync: new (filename: string, options?: { readonly readOnly: boolean }) => Database
}

const READS = /^\s*(select|pragma|with|explain)\b|\breturning\b/i
const MAX_PREPARED = 256

/** Node's own SQLite from 22.13 on, a package with the same API before. */
function driver(): Driver {
  if (isBuiltin('node:sqlite')) return withoutWarning(() => require('node:sqlite'))
  try {
    return require('@photostructure/sqlite')
  } catch (cause) {
    throw new Error('SQLite needs Node 22.13 or the package @photostructure/sqlite', { cause })
  }
}

/** Loads without the warning that Node 22 prints about its SQLite, which operators cannot act upon. */
function withoutWarning<T>(load: () => T): T {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

/** A connection to an SQLite file over `node:sqlite`, with the API of `better-sqlite3` for Knex. */
export class SqliteConnection {
  private readonly prepared = new Map<string, Statement>()

  private constructor(private readonly database: Database) {}

  /** A connection that only reads; with `readOnly` the file is opened so that it cannot write either. */
  static toRead(filename: string, readOnly = false): SqliteConnection {
    const { DatabaseSync } = driver()
    const database = new DatabaseSync(filename, { readOnly })
    // Waiting for another process blocks the event loop; lost transactions are retried after a pause elsewhere.
    database.exec('PRAGMA busy_timeout = 50')
    return new SqliteConnection(database)
  }

  static toWrite(filename: string): SqliteConnection {
    if (filename !== ':memory:') createFile(filename)
    const connection = SqliteConnection.toRead(filename)
    for (const setting of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'])
      connection.database.exec(`PRAGMA ${setting}`)
    return connection
  }

  /** A connection that has an empty file to itself, until it is closed or the process ends: by a lock of the operating system. */
  static toHold(filename: string): SqliteConnection {
    createFile(filename)
    const connection = SqliteConnection.toRead(filename)
    try {
      // Drivers that defend the file refuse to be without a journal, and would leave one behind when the process is killed.
      for (const sql of ['PRAGMA journal_mode = MEMORY', 'BEGIN EXCLUSIVE']) connection.database.exec(sql)
      return connection
    } catch (error) {
      connection.database.close()
      throw error
    }
  }

  /** A statement as Knex prepares it. Answers come late, like a server's, so that a missing `await` shows. */
  prepare(sql: string) {
    // A deferred transaction that reads and then writes fails at once when another process writes, whatever the time-out.
    const statement = this.statement(sql === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : sql)
    return {
      reader: READS.test(sql),
      async all(bindings: readonly unknown[]) {
        const rows = read(statement, bindings)
        await everybodyElse()
        return rows
      },
      async run(bindings: readonly unknown[]) {
        const { changes, lastInsertRowid } = statement.run(...bindings.map(bound))
        await everybodyElse()
        return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) }
      },
    }
  }

  /** Rows, synchronously. */
  select(sql: string, bindings: readonly unknown[]): Row[] {
    return read(this.statement(sql), bindings)
  }

  /** Moves the WAL into the main file: some drivers do not, and a copy of that file would be empty. */
  close(): void {
    try {
      this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Another process is using it; the last one to close does the same.
    }
    this.database.close()
  }

  private statement(sql: string): Statement {
    const known = this.prepared.get(sql)
    if (known) return known
    const statement = this.database.prepare(sql)
    if (this.prepared.size >= MAX_PREPARED) this.prepared.clear()
    this.prepared.set(sql, statement)
    return statement
  }
}

/**
 * Creates a file that no other user of the machine can read, unless there is one, also where a link leads; SQLite gives its other
 * files the same mode. One that is there is not opened: closing it would end all locks that this process has on it.
 */
function createFile(filename: string): void {
  if (!existsSync(filename)) closeSync(openSync(filename, 'a', 0o600))
}

/** Node 22 binds null for empty bytes without memory of their own, such as those from another thread. */
const NO_BYTES = new Uint8Array(0)

function bound(value: unknown): unknown {
  if (value instanceof Uint8Array && value.byteLength === 0) return NO_BYTES
  if (typeof value === 'boolean') return Number(value)
  if (value instanceof Date) return value.getTime()
  return value ?? null
}

/** Rows with their bytes as Buffers, as those of MySQL are. */
function read(statement: Statement, bindings: readonly unknown[]): Row[] {
  const rows = statement.all(...bindings.map(bound))
  for (const row of rows) {
    for (const column in row) {
      const value = row[column]
      if (value instanceof Uint8Array) row[column] = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
  }
  return rows
}

class OurSqlite extends knexDialect('better-sqlite3') implements OwnClient {
  private reader: SqliteConnection | undefined

  /** Knex would load `better-sqlite3`. */
  override initializeDriver(): void {}

  override async acquireRawConnection(): Promise<SqliteConnection> {
    return this.isReadOnly ? SqliteConnection.toRead(this.filename, true) : SqliteConnection.toWrite(this.filename)
  }

  override async destroyRawConnection(connection: SqliteConnection): Promise<void> {
    this.reader?.close()
    this.reader = undefined
    connection.close()
  }

  /** As of the last commit: a connection for reads does not wait for the transaction under way. */
  async selectRows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]> {
    if (this.filename !== ':memory:' && this.pool !== undefined) {
      this.reader ??= SqliteConnection.toRead(this.filename, this.isReadOnly)
      return this.reader.select(sql, bindings)
    }
    const connection: SqliteConnection = await this.acquireConnection()
    try {
      return connection.select(sql, bindings)
    } finally {
      await this.releaseConnection(connection)
    }
  }

  private get filename(): string {
    const { filename }: { filename?: unknown } = this.connectionSettings
    return String(filename)
  }

  private get isReadOnly(): boolean {
    const { readOnly }: { readOnly?: unknown } = this.connectionSettings
    return readOnly === true
  }
}

/**
 * A Knex dialect over the `node:sqlite` API: WAL, full synchronisation, and write locks taken when a transaction begins.
 * Give it one connection: `knex({ client: SqliteDialect, connection: { filename }, pool: { min: 1, max: 1 } })`.
 */
export const SqliteDialect: typeof Knex.Client = OurSqlite
