import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

/** Templates of packages, by owner and name, in as many places as an owner has. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii, key, json } = columns(dialect)
  await createTable(knex, 'registry_templates', (table) => {
    table.specificType('id', id).primary()
    table.specificType('owner', ascii(16)).notNullable()
    table.integer('place').notNullable()
    table.specificType('name', key).notNullable()
    table.specificType('content', json).notNullable()
    table.bigInteger('modified_at').notNullable()
    table.unique(['owner', 'name'])
    table.unique(['owner', 'place'])
  })
}
