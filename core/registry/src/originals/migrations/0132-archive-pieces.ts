import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

/** Objects of the archive store that are no originals. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii, bytes } = columns(dialect)
  await createTable(knex, 'registry_archive_pieces', (table) => {
    table.specificType('object_key', ascii(32)).primary()
    // Empty once the object is to be deleted.
    table.specificType('part_of', id).nullable()
    table.integer('number').notNullable()
    table.integer('size').notNullable()
    table.specificType('digest', bytes(32)).notNullable()
    table.index(['part_of', 'number'])
  })
}
