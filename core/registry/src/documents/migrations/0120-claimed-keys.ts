import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { bytes } = columns(dialect)

  // SHA-256 of a key by which a signature was made that does not name its certificate, and of the one certificate it may have.
  await createTable(knex, 'registry_claimed_keys', (table) => {
    table.specificType('signer_key', bytes(32)).primary()
    table.specificType('signer_certificate', bytes(32)).notNullable()
  })
}
