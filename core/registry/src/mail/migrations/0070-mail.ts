import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, text } = columns(dialect)

  await createTable(knex, 'registry_mail_secrets', (table) => {
    table.specificType('name', ascii(16)).primary()
    table.specificType('secret', ascii(64)).notNullable()
  })
  // Recipients stand here as codes that nobody can turn into addresses.
  await createTable(knex, 'registry_mail_refusals', (table) => {
    table.specificType('recipient', ascii(32)).notNullable()
    table.specificType('kind', ascii(16)).notNullable()
    table.bigInteger('refused_at').notNullable()
    table.primary(['recipient', 'kind'])
  })
  await createTable(knex, 'registry_mail_bounces', (table) => {
    table.specificType('recipient', ascii(32)).primary()
    table.bigInteger('bounced_at').notNullable()
    table.specificType('reason', text(500)).notNullable()
  })
}
