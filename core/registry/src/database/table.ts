import type { Knex } from 'knex'
import type { Dialect } from './dialect.js'

/** How a field is stored in a column. */
export interface Column<T> {
  readonly column: string
  write(value: T): Knex.Value
  /** Reads the value of the driver: SQLite and MySQL differ. */
  read(kept: unknown): T
}

type Columns = Readonly<Record<string, Pick<Column<unknown>, 'column' | 'read'> & { write(value: never): Knex.Value }>>
type ValueOf<C> = C extends Column<infer T> ? T : never

/** The fields of a row of a table. */
export type Stored<T> = T extends Table<infer C> ? { readonly [F in keyof C]: ValueOf<C[F]> } : never

/** A table, and how each field is stored in its column. */
export class Table<C extends Columns> {
  /** Every column, for `select`. */
  readonly columns: readonly string[]
  private readonly readers: readonly (readonly [name: string, column: string, read: (kept: unknown) => unknown])[]

  constructor(
    readonly name: string,
    private readonly fields: C,
  ) {
    this.columns = Object.values(fields).map(({ column }) => column)
    this.readers = Object.entries(fields).map(([name, { column, read }]) => [name, column, read])
  }

  /** The columns of some fields, for `select` and `orderBy`. */
  only(...names: readonly (keyof C & string)[]): string[] {
    return names.map((name) => this.columnOf(name))
  }

  /** Fields as a row, or as a part of one: for `insert`, `update` and `where`. */
  row(values: Partial<{ readonly [F in keyof C]: ValueOf<C[F]> }>): Record<string, Knex.Value> {
    const row: Record<string, Knex.Value> = {}
    for (const [name, value] of Object.entries(values)) row[this.columnOf(name)] = this.field(name).write(value)
    return row
  }

  /** The fields of a row; of a row that was selected in part, those that are there. */
  read(row: Readonly<Record<string, unknown>>): Stored<Table<C>>
  read(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const values: Record<string, unknown> = {}
    for (const [name, column, read] of this.readers) {
      const kept = row[column]
      if (kept !== undefined) values[name] = read(kept)
    }
    return values
  }

  private columnOf(name: string): string {
    return this.field(name).column
  }

  private field(name: string): Column<unknown> {
    const field: Column<unknown> | undefined = this.fields[name]
    if (field === undefined) throw new TypeError(`${this.name} keeps no ${name}`)
    return field
  }
}

/** Declares a table: `table('registry_comments', { storedAt: integer('stored_at'), value: optional(text('value')) })`. */
export const table = <C extends Columns>(name: string, fields: C): Table<C> => new Table(name, fields)

export const text = (column: string): Column<string> => ({ column, write: (value) => value, read: String })
/** One of several words, such as a status. */
export const word = <const T extends string>(column: string, words: readonly T[]): Column<T> => ({
  column,
  write: (value) => value,
  read(kept) {
    const found = words.find((one) => one === kept)
    if (found === undefined) throw new TypeError(`${column} holds ${String(kept)}`)
    return found
  },
})
/** A number up to 2^53-1: a count, a size, a time in milliseconds. MySQL may give a big one as text. */
export const integer = (column: string): Column<number> => ({ column, write: (value) => value, read: Number })
export const flag = (column: string): Column<boolean> => ({
  column,
  write: (value) => value,
  read: (kept) => Number(kept) === 1,
})
export const bytes = (column: string): Column<Uint8Array> => ({
  column,
  write: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
  read(kept) {
    if (kept instanceof Uint8Array) return kept
    throw new TypeError(`${column} holds no bytes`)
  },
})
/** A value as JSON text; it is not validated when it is read. */
export const json = <T>(column: string): Column<T> => ({
  column,
  write: (value) => JSON.stringify(value),
  read: (kept): T => JSON.parse(String(kept)),
})
/** A field that may be `undefined`; the column then holds NULL. */
export const optional = <T>({ column, write, read }: Column<T>): Column<T | undefined> => ({
  column,
  write: (value) => (value === undefined ? null : write(value)),
  read: (kept) => (kept === null || kept === undefined ? undefined : read(kept)),
})

export type Row = Readonly<Record<string, unknown>>

/** The rows in Knex's response to `raw`. That of MySQL has the columns' metadata as well. */
export function rowsOf(dialect: Dialect, response: unknown): Row[] {
  const rows: unknown = dialect === 'mysql' && Array.isArray(response) ? response[0] : response
  if (!Array.isArray(rows)) throw new TypeError('A select answers rows')
  return rows
}

/** Placeholders for `in (…)`, one per value; for an empty list `null`, which matches nothing. */
export const places = (values: readonly unknown[]): string => values.map(() => '?').join(', ') || 'null'

/** A row by columns. All rows of one insert have the same columns. */
export type NewRow = Readonly<Record<string, Knex.Value>>

/** What to do with a row whose key exists: refuse all rows, or skip this one. */
export type OnDuplicate = 'refuse' | 'skip'

/** A statement that inserts rows, all or none. */
export function insertion(
  dialect: Dialect,
  table: string,
  rows: readonly NewRow[],
  onDuplicate: OnDuplicate,
): [sql: string, bindings: Knex.Value[]] {
  const columns = Object.keys(rows[0] ?? {})
  const ignoring = dialect === 'mysql' ? 'insert ignore' : 'insert or ignore'
  const verb = onDuplicate === 'skip' ? ignoring : 'insert'
  const place = `(${columns.map(() => '?').join(', ')})`
  const sql = `${verb} into ${quoted(table)} (${columns.map(quoted).join(', ')}) values ${rows.map(() => place).join(', ')}`
  return [sql, rows.flatMap((row) => valuesOf(row, columns))]
}

/** The generated id of the first of `count` rows, from Knex's response to their insert. */
export function firstNumber(dialect: Dialect, response: unknown, count: number): number {
  if (dialect === 'sqlite') return Number(Object(response).lastInsertRowid) - count + 1
  const [outcome]: unknown[] = Array.isArray(response) ? response : []
  return Number(Object(outcome).insertId)
}

/** Backticks quote in both databases. */
const quoted = (name: string): string => `\`${name}\``

function valuesOf(row: NewRow, columns: readonly string[]): Knex.Value[] {
  if (Object.keys(row).length !== columns.length) throw new TypeError('Rows of one insert have the same columns')
  return columns.map((column) => {
    const value = row[column]
    if (value === undefined) throw new TypeError(`A row has no ${column}`)
    return value
  })
}
