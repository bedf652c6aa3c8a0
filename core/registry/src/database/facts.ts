import { dialectOf } from './dialect.js'
import { openDatabase } from './open.js'
import { SETTINGS_LOOKED_AT, unsafeSettings } from './unsafe-settings.js'

/** Product and version of a database. */
export interface DatabaseFacts {
  readonly product: 'SQLite' | 'MySQL' | 'MariaDB'
  readonly version: string
  /** Default character set; absent for SQLite, which has one only. */
  readonly charset?: string
  /** Settings under which what was acknowledged may be lost or refused, with reasons. */
  readonly unsafe: readonly string[]
}

/** Connects to a database, and asks for its product and version. */
export async function databaseFacts(url: string): Promise<DatabaseFacts> {
  const knex = openDatabase(url)
  try {
    if (dialectOf(knex) === 'sqlite') {
      const [{ version }] = await knex.raw('select sqlite_version() as version')
      return { product: 'SQLite', version, unsafe: [] }
    }
    const [[{ version, charset }]] = await knex.raw('select version() as version, @@character_set_database as charset')
    const marks = SETTINGS_LOOKED_AT.map(() => '?').join(', ')
    const asked = `show global variables where variable_name in (${marks})`
    const [rows = []]: { Variable_name: string; Value: string }[][] = await knex.raw(asked, [...SETTINGS_LOOKED_AT])
    const unsafe = unsafeSettings(Object.fromEntries(rows.map((row) => [row.Variable_name, row.Value])))
    return { product: /mariadb/i.test(version) ? 'MariaDB' : 'MySQL', version, charset, unsafe }
  } finally {
    await knex.destroy()
  }
}
