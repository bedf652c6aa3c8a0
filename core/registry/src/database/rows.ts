import type { Knex } from 'knex'
import type { Dialect } from './dialect.js'

export type Row = Readonly<Record<string, unknown>>

/** What our own dialects have beside Knex's methods. */
export interface OwnClient {
  /** Rows of a `select` outside of transactions, as of a moment after it was asked. */
  selectRows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]>
}

/** A client of ours; nothing for one that an embedder brought. */
export const ownClient = (client: OwnClient | object): OwnClient | undefined =>
  'selectRows' in client ? client : undefined

/** The rows in what Knex answers to `raw`. MySQL answers them together with what is known of their columns. */
export function rowsOf(dialect: Dialect, response: unknown): Row[] {
  const rows: unknown = dialect === 'mysql' && Array.isArray(response) ? response[0] : response
  if (!Array.isArray(rows)) throw new TypeError('A select answers rows')
  return rows
}

/** What stands in `in (…)`: a place for each value of a list. Nothing is in an empty one. */
export const places = (values: readonly unknown[]): string => values.map(() => '?').join(', ') || 'null'
