import knex, { type Knex } from 'knex'
import type { Row } from './table.js'

/** What our own dialects have beside Knex's methods. */
export interface OwnClient {
  /** Rows of a `select` outside of transactions, as of a moment after it was asked. */
  selectRows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]>
}

/** A client of ours; nothing for one that an embedder brought. */
export const ownClient = (client: OwnClient | object): OwnClient | undefined =>
  'selectRows' in client ? client : undefined

/** The class of a dialect of Knex: it builds statements and has the pool, a class of ours under it brings the connections. */
export function knexDialect(client: 'better-sqlite3' | 'mysql2'): typeof Knex.Client {
  return knex({ client, useNullAsDefault: true }).client.constructor
}
