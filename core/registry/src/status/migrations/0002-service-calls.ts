import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii } = columns(dialect)

  await createTable(knex, 'registry_service_calls', (table) => {
    table.specificType('protocol', ascii(16)).notNullable()
    table.specificType('url', ascii(255)).notNullable()
    table.bigInteger('minute').notNullable()
    table.integer('succeeded').notNullable()
    table.integer('failed').notNullable()
    table.primary(['protocol', 'url', 'minute'])
  })
}
