import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii, json } = columns(dialect)

  await createTable(knex, 'registry_vehicle_registrations', (table) => {
    table.specificType('document_id', id).primary()
    table.bigInteger('stored_at').notNullable()
    table.specificType('source', ascii(16)).notNullable()
    table.specificType('document_type_code', ascii(64)).notNullable()
    table.specificType('signers', json).notNullable()
  })
}
