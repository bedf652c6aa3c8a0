import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import knex, { type Knex } from 'knex'
import { SqliteDialect } from './sqlite-dialect.js'

const MYSQL_CONNECTIONS = 16
/** What Knex would print of a failed connection reaches the caller as an error; its other warnings are worth reading. */
const log = {
  warn(message: string) {
    if (!message.startsWith('Acquire connection error')) process.emitWarning(message)
  },
}

/**
 * Opens a database by address: `sqlite:PATH` or `mysql://user:password@host:port/name`.
 * SQLite has one connection: its driver is synchronous, and a second writer in one process would wait for itself.
 */
export function openDatabase(url: string): Knex {
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
    client: 'mysql2',
    connection: {
      host: hostname,
      port: port === '' ? 3306 : Number(port),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)),
      charset: 'utf8mb4',
    },
    log,
    // Values of a failed statement must not get into the log.
    compileSqlOnError: false,
    pool: { min: 0, max: MYSQL_CONNECTIONS, afterCreate: prepareMysql },
  })
}

interface MysqlConnection {
  query(sql: string, done: (error: Error | null) => void): void
}

/** Locks as few rows as it can, and refuses values that do not fit instead of cutting them. */
function prepareMysql(connection: MysqlConnection, done: (error: Error | null, connection: MysqlConnection) => void) {
  connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED', (error) => {
    if (error) return done(error, connection)
    connection.query("SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'", (failure) =>
      done(failure, connection),
    )
  })
}
