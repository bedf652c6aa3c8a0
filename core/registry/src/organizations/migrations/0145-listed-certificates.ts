import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

const TABLE = 'registry_system_keys'

/** A key acts by the certificate that is listed. What was listed before is null in both, and goes on acting by its key. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  if (await knex.schema.hasColumn(TABLE, 'by_key')) return
  const { bytes } = columns(dialect)
  await knex.schema.alterTable(TABLE, (table) => {
    // SHA-256 of the certificate, DER.
    table.specificType('certificate_digest', bytes(32)).nullable()
    table.boolean('by_key').nullable()
  })
}
