import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import knex, { type Knex } from 'knex'
import { type Logger, standardLogger } from '../kernel/logger.js'
import { CAUSAL, IS_NODE } from './causal-reader.js'
import { sendApart } from './joined-statements.js'
import { MysqlDialect, SQL_MODE } from './mysql-dialect.js'
import { SqliteDialect } from './sqlite-dialect.js'

const MYSQL_CONNECTIONS = 16
/** Of each connection; a server has 16,382 in all unless told otherwise. */
const PREPARED_STATEMENTS = 64
/** Nobody waits longer for a connection, or for the server to take one. */
const MAX_WAIT_MS = 5000
/** What Knex would print of a failed connection reaches the caller as an error; its other warnings are worth reading. */
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
  const log = knexLog(logger)
  if (url.startsWith('sqlite:')) {
    const filename = url.slice('sqlite:'.length)
    if (filename === '') throw new TypeError('The database address sqlite: needs a file name')
    if (filename !== ':memory:') mkdirSync(dirname(filename), { recursive: true })
    return knex({
      client: SqliteDialect,
      connection: { filename },
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
      connectTimeout: MAX_WAIT_MS,
      maxPreparedStatements: PREPARED_STATEMENTS,
      // Our dialect sends those of a transaction together; values never stand in them as text of callers.
      multipleStatements: true,
    },
    log,
    // Values of a failed statement must not get into the log.
    compileSqlOnError: false,
    pool: { min: 0, max: MYSQL_CONNECTIONS, afterCreate: prepareMysql },
    acquireConnectionTimeout: MAX_WAIT_MS,
  })
}

interface MysqlConnection {
  query(sql: string, done: (error: Error | null, rows: unknown) => void): void
}

/** Locks as few rows as it can, not for long, and refuses values that do not fit instead of cutting them. */
const SESSION = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  SQL_MODE,
  // Unless told otherwise a server waits for 50 seconds, and all who come wait with it.
  'SET SESSION innodb_lock_wait_timeout = 3',
]
/** Ends the transaction of a host that stands still, which would hold its locks for hours; MySQL ends the whole connection. */
const IDLE_TRANSACTION = ['SET SESSION idle_transaction_timeout = 10', 'SET SESSION wait_timeout = 60']
const UNKNOWN_VARIABLE = 1193

function prepareMysql(connection: MysqlConnection, done: (error: Error | null, connection: MysqlConnection) => void) {
  /** Of each list the first statement that the server knows; none of them need be known. */
  const run = ([alternatives, ...rest]: readonly (readonly string[])[]): void => {
    const [sql, ...others] = alternatives ?? []
    if (alternatives === undefined) markNode()
    else if (sql === undefined) run(rest)
    else
      connection.query(sql, (error) => {
        if (error === null) run(rest)
        else if ('errno' in error && error.errno === UNKNOWN_VARIABLE) run([others, ...rest])
        else done(error, connection)
      })
  }
  const markNode = () =>
    connection.query(IS_NODE, (error, rows) => {
      if (Array.isArray(rows) && rows.length > 0) sendApart(connection)
      done(error, connection)
    })
  run([...SESSION.map((sql) => [sql]), IDLE_TRANSACTION, [CAUSAL]])
}
