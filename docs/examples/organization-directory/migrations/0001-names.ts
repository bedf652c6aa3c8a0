import { columns, createTable, type Dialect } from '@signed-registry/core'
import type { Knex } from 'knex'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, text } = columns(dialect)
  await createTable(knex, 'organization_directory_names', (table) => {
    table.specificType('bin', ascii(12)).primary()
    table.specificType('name', text(500)).notNullable()
    table.bigInteger('asked_at').notNullable()
  })
}
