import type { Knex } from 'knex'

/** The two kinds of database that the registry runs on. Every difference between them is in this file. */
export type Dialect = 'sqlite' | 'mysql'

/** Which kind a Knex instance speaks to; a `TypeError` for any other. */
export function dialectOf(knex: Knex): Dialect {
  const name: unknown = knex.client.dialect
  if (name === 'mysql') return 'mysql'
  if (name === 'sqlite3') return 'sqlite'
  throw new TypeError(`The registry runs on SQLite and on MySQL or MariaDB, not on ${String(name)}`)
}

interface DriverError {
  readonly code?: unknown
  readonly errno?: unknown
  readonly errcode?: unknown
  readonly message?: unknown
  readonly name?: unknown
  readonly fatal?: unknown
}
const driverError = (error: unknown): DriverError => (error !== null && typeof error === 'object' ? error : {})

const SQLITE_UNIQUE = new Set([2067, 1555])
const SQLITE_BUSY = 5
const MYSQL_DUPLICATE = 1062
/** Access denied to the database, or to a table. */
const MYSQL_FORBIDDEN = new Set([1044, 1142])
/** Lock wait time-out, deadlock or Galera certification failure. */
const MYSQL_RETRY = new Set([1205, 1213])

/** True when a statement broke a unique key. */
export function isUniqueViolation(error: unknown): boolean {
  const { errno, errcode, code } = driverError(error)
  return (
    errno === MYSQL_DUPLICATE ||
    (typeof errcode === 'number' && SQLITE_UNIQUE.has(errcode)) ||
    code === 'SQLITE_CONSTRAINT_UNIQUE' ||
    code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  )
}

/** True when the database user lacks the privilege for a statement. */
export function isForbidden(error: unknown): boolean {
  const { errno } = driverError(error)
  return typeof errno === 'number' && MYSQL_FORBIDDEN.has(errno)
}

/** True when the transaction lost a race and is to be run again from its beginning. */
export function isRetryable(error: unknown): boolean {
  const { errno, errcode, code } = driverError(error)
  return (
    (typeof errno === 'number' && MYSQL_RETRY.has(errno)) ||
    (typeof errcode === 'number' && (errcode & 0xff) === SQLITE_BUSY) ||
    code === 'SQLITE_BUSY'
  )
}

/**
 * Locks the rows that a query selects, skipping those that others have locked. SQLite has one writer at a time, and needs
 * no locks. The query must read its rows in the order of an index.
 */
export const skippingLocked = (query: Knex.QueryBuilder, dialect: Dialect): Knex.QueryBuilder =>
  dialect === 'mysql' ? query.forUpdate().skipLocked() : query

/**
 * MySQL: too many connections, in all or of one user; a Galera node that has lost the others, before and at a commit; a
 * read-only server.
 */
const MYSQL_BUSY = new Set([1040, 1203, 1226, 1047, 1180, 1290, 1836])
const MYSQL_FULL = new Set([3, 1021, 1114])
const SQLITE_LOCKED = new Set([SQLITE_BUSY, 6, 8, 10, 14])
const SQLITE_FULL = 13

/**
 * Why a database could not do its work now: it cannot be reached or is overloaded, or it has no room. `undefined` for any
 * other error.
 */
export function databaseFailure(error: unknown): 'unavailable' | 'full' | undefined {
  const { errno, errcode, code, fatal, name } = driverError(error)
  if (errno !== undefined && MYSQL_FULL.has(Number(errno))) return 'full'
  const sqlite = typeof errcode === 'number' ? errcode & 0xff : undefined
  if (sqlite === SQLITE_FULL || code === 'SQLITE_FULL') return 'full'
  if (name === 'KnexTimeoutError' || name === 'DatabaseBusy' || fatal === true) return 'unavailable'
  const isBusy = MYSQL_BUSY.has(Number(errno)) || (sqlite !== undefined && SQLITE_LOCKED.has(sqlite))
  return isBusy || isRetryable(error) ? 'unavailable' : undefined
}

/** Column types for migrations. Identifiers compare by byte everywhere: MySQL's default collation would ignore case. */
export const columns = (dialect: Dialect) => ({
  id: dialect === 'mysql' ? 'char(16) character set ascii collate ascii_bin' : 'char(16)',
  ascii: (length: number) =>
    dialect === 'mysql' ? `varchar(${length}) character set ascii collate ascii_bin` : `varchar(${length})`,
  bytes: (length: number) => (dialect === 'mysql' ? `varbinary(${length})` : 'blob'),
  blob: dialect === 'mysql' ? 'mediumblob' : 'blob',
  /** Text of so many characters in any script, whatever the default character set of the database. */
  text: (length: number) =>
    dialect === 'mysql' ? `varchar(${length}) character set utf8mb4 collate utf8mb4_bin` : `varchar(${length})`,
  /** Text that is compared by code point, in keys. */
  key: dialect === 'mysql' ? 'varchar(64) character set utf8mb4 collate utf8mb4_bin' : 'varchar(64)',
  /** Ends `create table`: rows are stored in the order of their primary key. */
  clustered: dialect === 'mysql' ? '' : ' without rowid',
  json: dialect === 'mysql' ? 'mediumtext character set utf8mb4 collate utf8mb4_bin' : 'text',
})
