import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

const TABLE = 'registry_signatures'

/** What of its document a signature is over; null for all of it. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  if (await knex.schema.hasColumn(TABLE, 'coverage')) return
  const { json } = columns(dialect)
  await knex.schema.alterTable(TABLE, (table) => table.specificType('coverage', json).nullable())
}
