import { columns, createTable, type Dialect } from '@signed-registry/core'
import type { Knex } from 'knex'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, blob } = columns(dialect)
  await createTable(knex, 'archive_in_tables_objects', (table) => {
    table.specificType('object_key', ascii(32)).primary()
    table.specificType('writing', ascii(16)).notNullable()
    table.bigInteger('size').notNullable()
  })
  await createTable(knex, 'archive_in_tables_parts', (table) => {
    table.specificType('writing', ascii(16)).notNullable()
    table.integer('part').notNullable()
    table.specificType('bytes', blob).notNullable()
    table.primary(['writing', 'part'])
  })
}
