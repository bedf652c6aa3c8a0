import { migrate, migrationsOf, type SchemaStatus, schemaStatus } from './database/migrate.js'
import { openDatabase } from './database/open.js'
import { pendingSql } from './database/pending-sql.js'
import type { Plugin } from './kernel/plugin.js'
import { coreAreas } from './registry.js'

/** The schema of a database, beside a registry or before one starts. */
export interface Schema {
  /** Looks, and changes nothing. */
  status(): Promise<SchemaStatus>
  /** The statements that `up` would run, with a comment before each step; tables count as empty. */
  pendingSql(): Promise<readonly string[]>
  /** Brings it up to date, as `createRegistry` does by itself. */
  up(): Promise<void>
  close(): Promise<void>
}

/** Opens a database (`sqlite:PATH` or `mysql://…`) to look after its schema; plugins bring tables of their own. */
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
