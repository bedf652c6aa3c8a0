import { dialectOf } from './dialect.js'
import { openDatabase } from './open.js'

/** What a database is. */
export interface DatabaseFacts {
  readonly product: 'SQLite' | 'MySQL' | 'MariaDB'
  readonly version: string
  /** Character set that text has by default; SQLite has one alone. */
  readonly charset?: string
}

/** Connects, and asks a database what it is. */
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
