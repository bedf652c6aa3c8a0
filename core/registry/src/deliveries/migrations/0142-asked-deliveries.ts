import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

/** Adds who asked for a delivery, and a note of its channel for them. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, json } = columns(dialect)
  for (const [name, type] of Object.entries({ asked_by: ascii(64), note: json })) {
    if (await knex.schema.hasColumn('registry_deliveries', name)) continue
    await knex.schema.alterTable('registry_deliveries', (table) => {
      table.specificType(name, type).nullable()
    })
  }
}
