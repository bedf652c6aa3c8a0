import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii } = columns(dialect)
  // One row, and only while the mail server takes nothing.
  await createTable(knex, 'registry_mailer_state', (table) => {
    table.specificType('name', ascii(16)).primary()
    table.integer('refusals').notNullable()
    table.specificType('recipient', ascii(32)).notNullable()
    table.bigInteger('noted_at').notNullable()
  })
}
