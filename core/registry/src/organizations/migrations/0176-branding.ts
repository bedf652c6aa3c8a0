import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

const TABLE = 'registry_organizations'

/** How an organization wants to be shown. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  if (await knex.schema.hasColumn(TABLE, 'branding')) return
  await knex.schema.alterTable(TABLE, (table) => void table.specificType('branding', columns(dialect).json).nullable())
}
