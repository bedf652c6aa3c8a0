import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii, text } = columns(dialect)

  await createTable(knex, 'registry_webhooks', (table) => {
    table.specificType('id', id).primary()
    table.specificType('bin', ascii(16)).notNullable()
    table.specificType('url', text(2048)).notNullable()
    table.specificType('url_digest', ascii(64)).notNullable()
    table.specificType('secret', ascii(64)).notNullable()
    table.specificType('previous_secret', ascii(64)).nullable()
    table.bigInteger('previous_secret_until').nullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('failing_since').nullable()
    table.bigInteger('paused_at').nullable()
    table.unique(['bin', 'url_digest'])
  })
}
