import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

const TABLE = 'registry_user_settings'

/** The language of mails to a person, and which kinds they do not want. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  if (await knex.schema.hasColumn(TABLE, 'notifications_off')) return
  const { ascii } = columns(dialect)
  await knex.schema.alterTable(TABLE, (table) => {
    table.specificType('notifications_language', ascii(16)).notNullable().defaultTo('')
    table.specificType('notifications_off', ascii(128)).notNullable().defaultTo('')
  })
}
