import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

/** Adds the trace that a delivery continues. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  if (await knex.schema.hasColumn('registry_deliveries', 'traceparent')) return
  await knex.schema.alterTable('registry_deliveries', (table) => {
    table.specificType('traceparent', columns(dialect).ascii(55)).nullable()
  })
}
