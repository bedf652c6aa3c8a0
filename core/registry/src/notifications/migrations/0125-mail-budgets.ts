import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii } = columns(dialect)
  await createTable(knex, 'registry_mail_budgets', (table) => {
    table.specificType('payer', ascii(64)).primary()
    // When the payer will have nothing left to make good, milliseconds.
    table.bigInteger('clear_at').notNullable().index()
  })
}
