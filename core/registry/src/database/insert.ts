import type { Knex } from 'knex'
import type { Dialect } from './dialect.js'

/** A row by its columns. Those of one insert have the same columns. */
export type NewRow = Readonly<Record<string, Knex.Value>>

/** What happens to a row whose key is there already: it refuses all of them, or it is passed over. */
export type OfKnownRows = 'refuse' | 'passOver'

/** A statement that is written out, and what the driver answers. */
export interface Statement {
  readonly method: 'insert' | 'raw'
  readonly sql: string
  readonly bindings: readonly Knex.Value[]
  /** For our own dialect for MySQL: nobody needs its answer, and it may go with what follows it in the transaction. */
  readonly waits?: boolean
  /** For our own dialect for SQLite: the statement is of one row, and is done for each of these. */
  readonly each?: readonly (readonly Knex.Value[])[]
  response?: unknown
  context?: { readonly lastID: unknown }
}

/** What Knex's builders end in, of a transaction. */
interface Client {
  acquireConnection(): Promise<object>
  query(connection: object, statement: Statement): Promise<unknown>
  readonly insertsEach?: boolean
}

/** Sends a statement that is written out over the connection of a transaction: to build it anew costs Knex more than the rest. */
export async function send(trx: Knex.Transaction, statement: Statement): Promise<void> {
  const client: Client = trx.client
  await client.query(await client.acquireConnection(), statement)
}

/** A statement that inserts rows, all of them or none. */
function insertion(
  trx: Knex.Transaction,
  dialect: Dialect,
  table: string,
  rows: readonly NewRow[],
  ofKnown: OfKnownRows,
): Statement {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map((row) => valuesOf(row, columns))
  const ignore = dialect === 'mysql' ? 'insert ignore' : 'insert or ignore'
  const into = `${ofKnown === 'passOver' ? ignore : 'insert'} into ${quoted(table)} (${columns.map(quoted).join(', ')}) values `
  const place = `(${columns.map(() => '?').join(', ')})`
  const { insertsEach }: Client = trx.client
  return insertsEach
    ? { method: 'insert', sql: into + place, bindings: [], each: values }
    : { method: 'insert', sql: into + rows.map(() => place).join(', '), bindings: values.flat() }
}

/** Inserts rows. Answers the number that the database gave the first of them, if it numbers them. */
export async function insertRows(
  trx: Knex.Transaction,
  dialect: Dialect,
  table: string,
  rows: readonly NewRow[],
  ofKnown: OfKnownRows,
): Promise<number> {
  const statement = insertion(trx, dialect, table, rows, ofKnown)
  await send(trx, statement)
  return dialect === 'mysql' ? firstOfMysql(statement.response) : Number(statement.context?.lastID) - rows.length + 1
}

/** Inserts rows with what follows in the transaction, or at once where the dialect is not ours for MySQL. */
export function insertLater(
  trx: Knex.Transaction,
  dialect: Dialect,
  table: string,
  rows: readonly NewRow[],
  ofKnown: OfKnownRows,
): Promise<void> {
  return send(trx, { ...insertion(trx, dialect, table, rows, ofKnown), waits: true })
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

function firstOfMysql(response: unknown): number {
  const [outcome]: unknown[] = Array.isArray(response) ? response : []
  return Number(Object(outcome).insertId)
}
