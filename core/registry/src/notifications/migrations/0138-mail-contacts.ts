import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii } = columns(dialect)
  await createTable(knex, 'registry_mail_contacts', (table) => {
    table.specificType('payer', ascii(64)).notNullable()
    // SHA-256 of payer and address, 16 bytes of it in base64url.
    table.specificType('recipient', ascii(22)).notNullable()
    table.bigInteger('since').notNullable().index()
    table.primary(['payer', 'recipient'])
  })
}
