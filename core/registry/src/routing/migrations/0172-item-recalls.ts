import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

const TABLE = 'registry_routing_items'

/** Who took an item back. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  if (await knex.schema.hasColumn(TABLE, 'recalled_by')) return
  const { ascii } = columns(dialect)
  await knex.schema.alterTable(TABLE, (table) => table.specificType('recalled_by', ascii(64)).nullable())
}
