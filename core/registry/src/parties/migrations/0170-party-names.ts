import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

/** Names of people and organizations, as their certificates say. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, json } = columns(dialect)
  await createTable(knex, 'registry_party_names', (table) => {
    table.specificType('party', ascii(16)).primary()
    table.specificType('name', json).notNullable()
    table.bigInteger('known_at').notNullable()
  })
}
