import { createRequire, isBuiltin } from 'node:module'
import type { Knex } from 'knex'
import type Client from 'knex/lib/dialects/better-sqlite3/index.js'

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
  response?: unknown
  context?: unknown
}

const READS = /^\s*(select|pragma|with|explain)\b|\breturning\b/i
const STATEMENTS_KEPT = 256

/** Node's own SQLite from 22.13, the same API from a package before. */
function driver(): SqliteDriver {
  if (isBuiltin('node:sqlite')) return require('node:sqlite')
  try {
    return require('@photostructure/sqlite')
  } catch (cause) {
    throw new Error('SQLite needs Node 22.13 or the package @photostructure/sqlite', { cause })
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

const BetterSqlite3: typeof Client = require('knex/lib/dialects/better-sqlite3')

class NodeSqlite extends BetterSqlite3 {
  override _driver() {
    return driver()
  }

  override async acquireRawConnection(): Promise<SqliteConnection> {
    const { DatabaseSync } = driver()
    const connection = new DatabaseSync(this.connectionSettings.filename)
    // Waiting here holds the event loop, so it is short; lost transactions are run again after a pause outside.
    connection.exec('PRAGMA busy_timeout = 50')
    connection.exec('PRAGMA journal_mode = WAL')
    connection.exec('PRAGMA synchronous = FULL')
    connection.exec('PRAGMA foreign_keys = ON')
    return connection
  }

  override async _query(connection: SqliteConnection, query: Query): Promise<Query> {
    // A deferred transaction that reads and then writes fails at once when another process writes, whatever the time-out.
    const sql = query.sql === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : query.sql
    const statement = prepared(connection, sql)
    const bindings = (query.bindings ?? []).map(bound)
    if (READS.test(sql)) {
      query.response = statement.all(...bindings).map(withBuffers)
      return query
    }
    const { changes, lastInsertRowid } = statement.run(...bindings)
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

function bound(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  if (value instanceof Date) return value.getTime()
  return value ?? null
}

function withBuffers(row: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) {
    copy[column] = value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
  }
  return copy
}
