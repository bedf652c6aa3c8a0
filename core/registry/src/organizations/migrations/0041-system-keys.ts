import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, bytes } = columns(dialect)

  await createTable(knex, 'registry_system_keys', (table) => {
    // SHA-256 of the SubjectPublicKeyInfo: several organizations may list a key, and it counts for one of them.
    table.specificType('key_digest', bytes(32)).notNullable()
    table.specificType('bin', ascii(16)).notNullable().references('registry_organizations.bin')
    table.integer('position').notNullable()
    table.boolean('disabled').notNullable()
    // When its holder proved it for this organization; null where nobody did.
    table.bigInteger('proved_at').nullable()
    table.primary(['key_digest', 'bin'])
    table.index(['bin', 'position'])
  })
  if (!(await knex.schema.hasTable('registry_tls_certificates'))) return
  await knex.raw(
    `insert into registry_system_keys (key_digest, bin, position, disabled, proved_at)
      select key_digest, bin, position, disabled, 0 from registry_tls_certificates
      where key_digest not in (select key_digest from registry_system_keys)`,
  )
  await knex.schema.dropTable('registry_tls_certificates')
}
