import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

const TABLE = 'registry_renewal_state'

/** Keeps what the operator was told of last, so that what is new is told at once. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  if (await knex.schema.hasColumn(TABLE, 'told_of')) return
  const { json } = columns(dialect)
  await knex.schema.alterTable(TABLE, (table) => table.specificType('told_of', json).nullable())
}
