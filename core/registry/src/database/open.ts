import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import knex, { type Knex } from 'knex'
import { type Logger, standardLogger } from '../kernel/logger.js'
import { type MysqlConnection, MysqlDialect } from './mysql-dialect.js'
import { SqliteDialect } from './sqlite-dialect.js'

const MYSQL_CONNECTIONS = 16
/** Per connection; a server allows 16,382 in all by default. */
const PREPARED_STATEMENTS = 64
/** For a free connection, and for the server to accept a new one. */
const MAX_WAIT_MS = 5000
/** The caller gets a failed connection as an error, so Knex need not warn of it too. */
const knexLog = (logger: Logger) => ({
  warn(message: string) {
    if (!message.startsWith('Acquire connection error')) logger.warn(message)
  },
})

/**
 * Opens a database by address: `sqlite:PATH` or `mysql://user:password@host:port/name`.
 * SQLite has one connection: its driver is synchronous, and a second writer in one process would wait for itself.
 */
export function openDatabase(url: string, logger: Logger = standardLogger): Knex {
  return open(url, 'write', logger)
}

/** As `openDatabase`, for a database that exists; writing to it fails, and so does what takes a server longer than `maxMs`. */
export function openToRead(url: string, logger: Logger = standardLogger, maxMs?: number): Knex {
  return open(url, 'read', logger, maxMs)
}

function open(url: string, mode: 'read' | 'write', logger: Logger, maxMs?: number): Knex {
  const log = knexLog(logger)
  if (url.startsWith('sqlite:')) {
    const filename = url.slice('sqlite:'.length)
    if (filename === '') throw new TypeError('The database address sqlite: needs a file name')
    if (filename !== ':memory:' && mode === 'write') mkdirSync(dirname(filename), { recursive: true })
    const connection = { filename, readOnly: mode === 'read' }
    return knex({
      client: SqliteDialect,
      connection,
      useNullAsDefault: true,
      log,
      compileSqlOnError: false,
      pool: { min: 1, max: 1 },
    })
  }
  if (!/^mysql:\/\//.test(url)) throw new TypeError('The database address must begin with sqlite: or mysql://')
  const { hostname, port, username, password, pathname } = new URL(url)
  return knex({
    client: MysqlDialect,
    connection: {
      host: hostname,
      port: port === '' ? 3306 : Number(port),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)),
      charset: 'utf8mb4',
      connectTimeout: maxMs ?? MAX_WAIT_MS,
      maxPreparedStatements: PREPARED_STATEMENTS,
      // MysqlConnection sends several in one packet, and refuses callers' statements with a semicolon.
      multipleStatements: true,
    },
    log,
    // Values of a failed statement must not get into the log.
    compileSqlOnError: false,
    pool: { min: 0, max: MYSQL_CONNECTIONS, ...(mode === 'read' && { afterCreate: toReadOnly(maxMs) }) },
    acquireConnectionTimeout: maxMs ?? MAX_WAIT_MS,
  })
}

/** Makes the transactions of a new connection read-only, those of single statements too, and limits the time of statements. */
const toReadOnly =
  (maxMs: number | undefined) =>
  (connection: MysqlConnection, done: (error: Error | null, connection: MysqlConnection) => void): void => {
    connection.maxMs = maxMs
    connection.query({ sql: 'SET SESSION TRANSACTION READ ONLY' }, [], (error) => done(error, connection))
  }
