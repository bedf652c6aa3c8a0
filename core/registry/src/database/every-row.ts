import type { Knex } from 'knex'
import type { Database } from './database.js'
import type { Row } from './table.js'

const AT_ONCE = 500

/**
 * All rows of a select, some hundred at a time, in the order of one or two columns of which no two rows have the same. `select`
 * is given a condition for its `where`. It has no bound at first: no value is so small that its row is passed over.
 */
export async function* everyRow(
  database: Pick<Database, 'rows'>,
  by: readonly [string] | readonly [string, string],
  select: (behind: string) => string,
): AsyncGenerator<readonly Row[]> {
  const [first, second] = by
  // As MySQL can use an index for it, unlike `(first, second) > (?, ?)`.
  const behind = second === undefined ? `${first} > ?` : `${first} >= ? and (${first} > ? or ${second} > ?)`
  const page = (condition: string, bindings: readonly Knex.Value[]) =>
    database.rows(`${select(condition)} order by ${by.join(', ')} limit ${AT_ONCE}`, bindings)
  let rows = await page('1 = 1', [])
  for (let last = rows.at(-1), before = ''; last !== undefined; last = rows.at(-1)) {
    yield rows
    const keys = by.map((column) => key(last, column))
    // SQLite keeps texts that are no UTF-8, and are read as others.
    if (before === keys.join(' ')) throw new TypeError(`A ${first} cannot be gone on from`)
    before = keys.join(' ')
    rows = await page(behind, second === undefined ? keys : [...keys.slice(0, 1), ...keys])
  }
}

function key(row: Row, column: string): Knex.Value {
  const value = row[column]
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new TypeError(`A row has no ${column} to go on from`)
}
