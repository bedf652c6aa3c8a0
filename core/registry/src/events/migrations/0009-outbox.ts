import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii, json } = columns(dialect)

  await createTable(knex, 'registry_outbox', (table) => {
    table.bigIncrements('id')
    table.specificType('event_id', id).notNullable().unique()
    table.specificType('type', ascii(32)).notNullable()
    table.bigInteger('created_at').notNullable()
    table.specificType('payload', json).notNullable()
  })
}
