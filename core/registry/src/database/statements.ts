import type { Knex } from 'knex'
import type { Dialect } from './dialect.js'
import { type Row, rowsOf } from './rows.js'

/** A row by its columns. Those of one insert have the same columns. */
export type NewRow = Readonly<Record<string, Knex.Value>>

/** What happens to a row whose key is there already: it refuses all of them, or it is passed over. */
export type OfKnownRows = 'refuse' | 'passOver'

/** Rows to be inserted, all of them or none. */
export interface Insertion {
  /** Up to `values`. */
  readonly into: string
  /** `(?, …)` for one row. */
  readonly place: string
  readonly rows: readonly (readonly Knex.Value[])[]
}

/** Takes statements that are written out, over the connection of one transaction. */
export interface Statements {
  /** True where Knex tells its listeners of them. */
  readonly tellsOfItself?: boolean
  rows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]>
  /** Answers the number that the database gave the first row, if it numbers them; those of the others follow it. */
  insert(insertion: Insertion): Promise<number>
  /** Inserts with what follows in the transaction, where that takes less than to insert at once. */
  insertLater(insertion: Insertion): Promise<void>
}

/** What our own dialects have beside Knex's methods, and their connections are `Statements`. */
export interface OwnClient {
  /** Rows of a `select` outside of transactions, as of a moment after it was asked. */
  selectRows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]>
}

/** A client of ours; nothing for one that an embedder brought. */
export const ownClient = (client: OwnClient | object): OwnClient | undefined =>
  'selectRows' in client ? client : undefined

const isOwn = (connection: Statements | object): connection is Statements => 'insertLater' in connection

/** What takes the statements of a transaction: a connection of ours without Knex, to whom building them costs more than all the rest. */
export async function statementsOf(trx: Knex.Transaction, dialect: Dialect): Promise<Statements> {
  const connection: Statements | object = await trx.client.acquireConnection()
  return isOwn(connection) ? connection : throughKnex(trx, dialect)
}

/** The same over a Knex that an embedder brought. */
export const throughKnex = (knex: Knex, dialect: Dialect): Statements => {
  const send = (sql: string, bindings: readonly Knex.Value[]): Promise<unknown> => knex.raw(sql, [...bindings]).then()
  const insert = async (insertion: Insertion) => {
    const response = await send(manyRows(insertion), insertion.rows.flat())
    return dialect === 'mysql'
      ? firstOfMysql(response)
      : Number(Object(response).lastInsertRowid) - insertion.rows.length + 1
  }
  return {
    tellsOfItself: true,
    rows: async (sql, bindings) => rowsOf(dialect, await send(sql, bindings)),
    insert,
    insertLater: async (insertion) => void (await insert(insertion)),
  }
}

/** Writes an insert out. */
export function insertion(dialect: Dialect, table: string, rows: readonly NewRow[], ofKnown: OfKnownRows): Insertion {
  const columns = Object.keys(rows[0] ?? {})
  const ignoring = dialect === 'mysql' ? 'insert ignore' : 'insert or ignore'
  const verb = ofKnown === 'passOver' ? ignoring : 'insert'
  return {
    into: `${verb} into ${quoted(table)} (${columns.map(quoted).join(', ')}) values `,
    place: `(${columns.map(() => '?').join(', ')})`,
    rows: rows.map((row) => valuesOf(row, columns)),
  }
}

/** One statement for all rows. */
export const manyRows = ({ into, place, rows }: Insertion): string => into + rows.map(() => place).join(', ')

/** The number of the first row by what MySQL answers to an insert. */
export function firstOfMysql(response: unknown): number {
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

/** Ends when all that can go on by itself has done so: what did not wait for a statement has then begun the next one. */
export const everybodyElse = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
