import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

/** Who followed the code or the link of a procedure, and which of them has it. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, bytes } = columns(dialect)
  await createTable(knex, 'registry_procedure_phones', (table) => {
    // SHA-256 of the secret in the address of API 2 that this phone was given.
    table.specificType('phone_key', bytes(32)).primary()
    table.specificType('procedure_id', id).notNullable().index()
    // SHA-256 of where it came from.
    table.specificType('origin', bytes(32)).notNullable()
    table.bigInteger('admitted_at').notNullable()
  })
  if (await knex.schema.hasColumn('registry_procedures', 'phone_key')) return
  await knex.schema.alterTable('registry_procedures', (table) => {
    table.specificType('phone_key', bytes(32)).nullable()
  })
}
