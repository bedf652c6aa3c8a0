import type { Knex } from 'knex'
import type { Dialect } from './dialect.js'

export type Row = Readonly<Record<string, unknown>>

interface Query {
  readonly sql: string
  readonly bindings: readonly Knex.Value[]
  readonly method: 'raw'
  response?: unknown
}
/** What Knex's builders end in. */
interface Client<Connection> {
  acquireConnection(): Promise<Connection>
  _query(connection: Connection, query: Query): Promise<unknown>
  releaseConnection(connection: Connection): Promise<void>
  /** Of our own dialect for SQLite. */
  readAtOnce?(sql: string, bindings: readonly Knex.Value[]): Row[] | undefined
  /** Of our own dialect for MySQL. */
  readTogether?(sql: string, bindings: readonly Knex.Value[]): Promise<Row[] | undefined> | undefined
}

/**
 * Sends a `select` that is written out straight to the driver, over a connection of the pool. To build the same text
 * anew, with its events and promises, costs Knex three times what the driver and the database take together.
 */
export function selectRows(pool: Knex, dialect: Dialect, sql: string, bindings: readonly Knex.Value[]): Promise<Row[]> {
  const client: Client<object> = pool.client
  try {
    const rows = client.readAtOnce?.(sql, bindings)
    return rows === undefined ? askServer(client, dialect, sql, bindings) : Promise.resolve(rows)
  } catch (error) {
    return Promise.reject(error)
  }
}

async function askServer(
  client: Client<object>,
  dialect: Dialect,
  sql: string,
  bindings: readonly Knex.Value[],
): Promise<Row[]> {
  const rows = await client.readTogether?.(sql, bindings)
  if (rows !== undefined) return rows
  const query: Query = { sql, bindings, method: 'raw' }
  const connection = await client.acquireConnection()
  try {
    await client._query(connection, query)
  } finally {
    await client.releaseConnection(connection)
  }
  return rowsOf(dialect, query.response)
}

/** MySQL answers rows together with what is known of their columns. */
export function rowsOf(dialect: Dialect, response: unknown): Row[] {
  const rows: unknown = dialect === 'mysql' && Array.isArray(response) ? response[0] : response
  if (!Array.isArray(rows)) throw new TypeError('A select answers rows')
  return rows
}

/** What stands in `in (…)`: a place for each value of a list. Nothing is in an empty one. */
export const places = (values: readonly unknown[]): string => values.map(() => '?').join(', ') || 'null'
