import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii } = columns(dialect)

  // Documents whose digests all end soon, the one that ends last, and how many signatures they had when they were listed.
  await createTable(knex, 'registry_ending_documents', (table) => {
    table.specificType('document_id', id).primary()
    table.specificType('algorithm', ascii(64)).notNullable()
    table.integer('signatures').notNullable()
  })
  // Whose documents these are: due once all are listed, told once for each digest.
  await createTable(knex, 'registry_ending_owners', (table) => {
    table.specificType('owner', ascii(16)).notNullable()
    table.specificType('algorithm', ascii(64)).notNullable()
    table.boolean('is_due').notNullable().defaultTo(false)
    table.bigInteger('told_at').nullable()
    table.primary(['owner', 'algorithm'])
  })
}
