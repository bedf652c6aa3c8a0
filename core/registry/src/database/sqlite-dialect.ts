import { closeSync, openSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import type { Knex } from 'knex'
import BetterSqlite3 from 'knex/lib/dialects/better-sqlite3/index.js'
import type { Row } from './rows.js'

const require = createRequire(import.meta.url)

/** What we use of a database connection in the shape of Node's own `node:sqlite`. */
interface SqliteConnection {
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  close(): void
}
interface SqliteStatement {
  all(...bindings: unknown[]): Record<string, unknown>[]
  run(...bindings: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
}
interface SqliteDriver {
  DatabaseSync: new (filename: string) => SqliteConnection
}

interface Query {
  sql: string
  bindings?: readonly unknown[]
  /** Bindings of each row where an insert of one row is to be done for many. */
  each?: readonly (readonly unknown[])[]
  response?: unknown
  context?: unknown
}

const READS = /^\s*(select|pragma|with|explain)\b|\breturning\b/i
const STATEMENTS_KEPT = 256

/** Node's own SQLite from 22.13, the same API from a package before. */
function driver(): SqliteDriver {
  if (isBuiltin('node:sqlite')) return withoutWarning(() => require('node:sqlite'))
  try {
    return require('@photostructure/sqlite')
  } catch (cause) {
    throw new Error('SQLite needs Node 22.13 or the package @photostructure/sqlite', { cause })
  }
}

/** Loads without the warning that Node 22 prints of its SQLite: it says nothing that its users can act upon. */
function withoutWarning<T>(load: () => T): T {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

// Outside of the class: Knex gives transactions a copy of the dialect that has its methods and no private fields.
const statements = new WeakMap<SqliteConnection, Map<string, SqliteStatement>>()

function prepared(connection: SqliteConnection, sql: string): SqliteStatement {
  const kept = statements.get(connection) ?? new Map<string, SqliteStatement>()
  statements.set(connection, kept)
  const known = kept.get(sql)
  if (known) return known
  const statement = connection.prepare(sql)
  if (kept.size >= STATEMENTS_KEPT) kept.clear()
  kept.set(sql, statement)
  return statement
}

/** Waiting for another process holds the event loop, so it is short; lost transactions are run again after a pause outside. */
function open(filename: string): SqliteConnection {
  const { DatabaseSync } = driver()
  const connection = new DatabaseSync(filename)
  connection.exec('PRAGMA busy_timeout = 50')
  return connection
}

class NodeSqlite extends BetterSqlite3 {
  private reader: SqliteConnection | undefined

  /** It takes an insert of one row for many: a statement for each number of rows would have to be prepared anew. */
  get insertsEach(): boolean {
    return true
  }

  override _driver() {
    return driver()
  }

  override async acquireRawConnection(): Promise<SqliteConnection> {
    const { filename } = this.connectionSettings
    // Made here, so that nobody else on the machine reads it; SQLite gives its other files the same rights.
    if (filename !== ':memory:') closeSync(openSync(filename, 'a', 0o600))
    const connection = open(filename)
    connection.exec('PRAGMA journal_mode = WAL')
    connection.exec('PRAGMA synchronous = FULL')
    connection.exec('PRAGMA foreign_keys = ON')
    return connection
  }

  /**
   * The rows of a `select` as of the last commit, at once: over a connection that only reads, so that nobody waits for the
   * end of a transaction. `undefined` where no second connection can see the database.
   */
  readAtOnce(sql: string, bindings: readonly unknown[]): Row[] | undefined {
    const { filename } = this.connectionSettings
    if (filename === ':memory:' || this.pool === undefined) return undefined
    this.reader ??= open(filename)
    return read(prepared(this.reader, sql), bindings)
  }

  /** Leaves all in the one file: some drivers close without it, and a copy of that file would be empty. */
  override async destroyRawConnection(connection: SqliteConnection): Promise<void> {
    this.reader?.close()
    this.reader = undefined
    try {
      connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Another process works on it, and the last one to close does the same.
    }
    connection.close()
  }

  override async _query(connection: SqliteConnection, query: Query): Promise<Query> {
    // A deferred transaction that reads and then writes fails at once when another process writes, whatever the time-out.
    const sql = query.sql === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : query.sql
    const statement = prepared(connection, sql)
    const { bindings = [], each } = query
    if (each !== undefined) {
      query.context = { lastID: insertEach(connection, statement, each) }
      return query
    }
    if (READS.test(sql)) {
      query.response = read(statement, bindings)
      return query
    }
    const { changes, lastInsertRowid } = statement.run(...bindings.map(bound))
    query.response = { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) }
    query.context = { lastID: Number(lastInsertRowid), changes: Number(changes) }
    return query
  }
}

/**
 * A Knex dialect over the `node:sqlite` API: WAL, full synchronisation, and write locks taken when a transaction begins.
 * Give it one connection: `knex({ client: SqliteDialect, connection: { filename }, pool: { min: 1, max: 1 } })`.
 */
export const SqliteDialect: typeof Knex.Client = NodeSqlite

/** Node 22 binds null for empty bytes that have no memory of their own, such as those that another thread sent. */
const NO_BYTES = new Uint8Array(0)

function bound(value: unknown): unknown {
  if (value instanceof Uint8Array && value.byteLength === 0) return NO_BYTES
  if (typeof value === 'boolean') return Number(value)
  if (value instanceof Date) return value.getTime()
  return value ?? null
}

/** Rows with their bytes as Buffers, as those of MySQL are. */
function read(statement: SqliteStatement, bindings: readonly unknown[]): Row[] {
  const rows = statement.all(...bindings.map(bound))
  for (const row of rows) {
    for (const column in row) {
      const value = row[column]
      if (value instanceof Uint8Array) row[column] = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
  }
  return rows
}

/** Does an insert of one row for many, all of them or none; answers the number of the last. */
function insertEach(
  connection: SqliteConnection,
  statement: SqliteStatement,
  rows: readonly (readonly unknown[])[],
): number {
  prepared(connection, 'savepoint each_row').run()
  try {
    let last: number | bigint = 0
    for (const row of rows) last = statement.run(...row.map(bound)).lastInsertRowid
    return Number(last)
  } catch (error) {
    prepared(connection, 'rollback to each_row').run()
    throw error
  } finally {
    prepared(connection, 'release each_row').run()
  }
}
