import type { Knex } from 'knex'
import type { Dialect } from './dialect.js'

/** A row by its columns. Those of one insert have the same columns. */
export type NewRow = Readonly<Record<string, Knex.Value>>

/** What happens to a row whose key is there already: it refuses all of them, or it is passed over. */
export type OfKnownRows = 'refuse' | 'passOver'

/** Writes out a statement that inserts rows, all of them or none. */
export function insertion(
  dialect: Dialect,
  table: string,
  rows: readonly NewRow[],
  ofKnown: OfKnownRows,
): [sql: string, bindings: Knex.Value[]] {
  const columns = Object.keys(rows[0] ?? {})
  const ignoring = dialect === 'mysql' ? 'insert ignore' : 'insert or ignore'
  const verb = ofKnown === 'passOver' ? ignoring : 'insert'
  const place = `(${columns.map(() => '?').join(', ')})`
  const sql = `${verb} into ${quoted(table)} (${columns.map(quoted).join(', ')}) values ${rows.map(() => place).join(', ')}`
  return [sql, rows.flatMap((row) => valuesOf(row, columns))]
}

/** The number of the first of so many rows, by what Knex answers to their insert. */
export function firstNumber(dialect: Dialect, response: unknown, count: number): number {
  if (dialect === 'sqlite') return Number(Object(response).lastInsertRowid) - count + 1
  const [outcome]: unknown[] = Array.isArray(response) ? response : []
  return Number(Object(outcome).insertId)
}

/** Both databases take it. */
const quoted = (name: string): string => `\`${name}\``

function valuesOf(row: NewRow, columns: readonly string[]): Knex.Value[] {
  if (Object.keys(row).length !== columns.length) throw new TypeError('Rows of one insert have the same columns')
  return columns.map((column) => {
    const value = row[column]
    if (value === undefined) throw new TypeError(`A row has no ${column}`)
    return value
  })
}
