import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { bytes } = columns(dialect)
  if (await knex.schema.hasColumn('registry_signatures', 'signer_key')) return
  // SHA-256 of the signer's key and certificate; signatures from before have neither, and are not looked up by them.
  await knex.schema.alterTable('registry_signatures', (table) => {
    table.specificType('signer_key', bytes(32)).nullable()
    table.specificType('signer_certificate', bytes(32)).nullable()
    table.index(['signer_key', 'signer_certificate'], 'registry_signatures_signer_key')
  })
}
