import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii, blob } = columns(dialect)

  await createTable(knex, 'registry_originals', (table) => {
    table.specificType('object_key', ascii(32)).primary()
    // Empty once the object is to be deleted.
    table.specificType('document_id', id).nullable().unique().references('registry_documents.id')
    table.specificType('state', ascii(8)).notNullable()
    table.bigInteger('size').notNullable()
    // A key and a tag of each MiB: 64 KiB for 4 GiB.
    table.specificType('segments', blob).nullable()
    table.bigInteger('archived_at').nullable()
    table.specificType('charged_to', ascii(16)).nullable().index()
    table.bigInteger('kept_until').nullable()
    table.bigInteger('claimed_until').nullable().index()
    table.index(['state', 'kept_until'])
  })

  if (!(await knex.schema.hasColumn('registry_archive_accounts', 'exceeded_told_at'))) {
    await knex.schema.alterTable('registry_archive_accounts', (table) => {
      table.bigInteger('exceeded_told_at').nullable()
      table.bigInteger('expired_told_at').nullable()
      table.index(['quota_expires'])
    })
  }
}
