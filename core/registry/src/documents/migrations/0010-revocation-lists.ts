import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { bytes, blob } = columns(dialect)

  // A CRL proves thousands of signatures: each is kept once.
  await createTable(knex, 'registry_revocation_lists', (table) => {
    table.specificType('fingerprint', bytes(32)).primary()
    table.specificType('crl', blob).notNullable()
  })
  if (!(await knex.schema.hasColumn('registry_signatures', 'crls'))) {
    await knex.schema.alterTable('registry_signatures', (table) => {
      // Fingerprints of the CRLs that stand in place of an OCSP answer, one after the other.
      table.specificType('crls', bytes(512)).nullable()
    })
  }
}
