import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii } = columns(dialect)

  await createTable(knex, 'registry_waiting_documents', (table) => {
    table.specificType('document_id', ascii(16)).primary().references('registry_documents.id')
    // Since when a document without a signature waits for its original: looked at after a while, and forgotten or left alone.
    table.bigInteger('since').notNullable().index()
  })
  await knex.raw(
    `insert into registry_waiting_documents (document_id, since)
      select id, stored_at from registry_documents
      where signatures_total = 0 and digests_fixed_at is null and package_id is null
        and id not in (select document_id from registry_waiting_documents)`,
  )
}
