import { dialectOf } from './dialect.js'
import { openDatabase } from './open.js'

/** Product and version of a database. */
export interface DatabaseFacts {
  readonly product: 'SQLite' | 'MySQL' | 'MariaDB'
  readonly version: string
  /** Default character set; absent for SQLite, which has one only. */
  readonly charset?: string
}

/** Connects to a database, and asks for its product and version. */
export async function databaseFacts(url: string): Promise<DatabaseFacts> {
  const knex = openDatabase(url)
  try {
    if (dialectOf(knex) === 'sqlite') {
      const [{ version }] = await knex.raw('select sqlite_version() as version')
      return { product: 'SQLite', version }
    }
    const [[{ version, charset }]] = await knex.raw('select version() as version, @@character_set_database as charset')
    return { product: /mariadb/i.test(version) ? 'MariaDB' : 'MySQL', version, charset }
  } finally {
    await knex.destroy()
  }
}
