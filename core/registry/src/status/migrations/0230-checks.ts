import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

/** Adds what repeated checks have found. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, key } = columns(dialect)
  await createTable(knex, 'registry_checks', (table) => {
    table.specificType('name', key).notNullable().primary()
    table.specificType('state', ascii(8)).notNullable()
    table.bigInteger('since').notNullable()
    table.bigInteger('known_at').notNullable()
    table.bigInteger('good_at')
  })
}
