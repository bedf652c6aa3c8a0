import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

/** Which document replaces which: a document replaces at most one, and is replaced once. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id } = columns(dialect)
  await createTable(knex, 'registry_document_versions', (table) => {
    table.specificType('document_id', id).primary()
    table.specificType('replaces', id).notNullable().unique()
    table.bigInteger('stored_at').notNullable()
  })
}
