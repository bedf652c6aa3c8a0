import knex, { type Knex } from 'knex'
import type { Row } from './table.js'

/** What our dialects add to Knex's. */
export interface OwnClient {
  /** Rows of a `select` outside of transactions, as of some moment after the call. */
  selectRows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]>
}

/** A client of ours; `undefined` for one that an embedder brought. */
export const ownClient = (client: OwnClient | object): OwnClient | undefined =>
  'selectRows' in client ? client : undefined

/** The class of a Knex dialect, with its query builder and pool; a subclass of ours supplies the connections. */
export function knexDialect(client: 'better-sqlite3' | 'mysql2'): typeof Knex.Client {
  return knex({ client, useNullAsDefault: true }).client.constructor
}
