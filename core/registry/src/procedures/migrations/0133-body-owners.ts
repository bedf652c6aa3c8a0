import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

/** Whom the bytes of procedures count for; what was there before counts for nobody. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  if (await knex.schema.hasColumn('registry_procedure_bodies', 'owner')) return
  const { ascii } = columns(dialect)
  await knex.schema.alterTable('registry_procedure_bodies', (table) => {
    table.specificType('owner', ascii(64)).nullable()
  })
}
