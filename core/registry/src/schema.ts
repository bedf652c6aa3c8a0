import { coreAreas } from './core-areas.js'
import { migrate, migrationsOf, type SchemaStatus, schemaStatus } from './database/migrate.js'
import { openDatabase } from './database/open.js'
import { pendingSql } from './database/pending-sql.js'
import type { Plugin } from './kernel/plugin.js'

/** Manages the schema of a database, before or while a registry runs. */
export interface Schema {
  /** Reads the state without changing anything. */
  status(): Promise<SchemaStatus>
  /** The SQL that `up` would run, with a comment before each step, as if tables were empty. */
  pendingSql(): Promise<readonly string[]>
  /** Applies pending migrations, as `createRegistry` does itself. */
  up(): Promise<void>
  close(): Promise<void>
}

/** Opens a database (`sqlite:PATH` or `mysql://…`) to manage its schema; plugins have tables of their own. */
export function openSchema(database: string, plugins: readonly Plugin[]): Schema {
  const migrations = migrationsOf(coreAreas, plugins)
  const knex = openDatabase(database)
  return {
    status: () => schemaStatus(knex, migrations),
    pendingSql: () => pendingSql(knex, migrations),
    up: () => migrate(knex, migrations),
    close: () => knex.destroy(),
  }
}
