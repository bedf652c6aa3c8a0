import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

/** Whom temporary storage counts for; what was there before counts for nobody. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  if (await knex.schema.hasColumn('registry_originals', 'kept_for')) return
  const { ascii } = columns(dialect)
  await knex.schema.alterTable('registry_originals', (table) => {
    table.specificType('kept_for', ascii(64)).nullable().index()
  })
}
