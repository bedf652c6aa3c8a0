import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

const TABLE = 'registry_system_keys'

/** A key acts by the certificate that is listed. What was listed before is null in both, and goes on acting by its key. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const add = async (name: string, type: string) => {
    if (await knex.schema.hasColumn(TABLE, name)) return
    await knex.schema.alterTable(TABLE, (table) => void table.specificType(name, type).nullable())
  }
  // SHA-256 of the certificate, DER.
  await add('certificate_digest', columns(dialect).bytes(32))
  await add('by_key', 'boolean')
}
