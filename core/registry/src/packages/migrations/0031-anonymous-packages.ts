import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { bytes } = columns(dialect)

  if (!(await knex.schema.hasColumn('registry_packages', 'data_secret_digest'))) {
    await knex.schema.alterTable('registry_packages', (table) => {
      // SHA-256 of the secret of who registered the package without a name.
      table.specificType('data_secret_digest', bytes(32)).nullable()
    })
  }
  if (!(await knex.schema.hasColumn('registry_packages', 'waits_since'))) {
    await knex.schema.alterTable('registry_packages', (table) => {
      // Since when a package of nobody with a name waits for its originals: looked at after a while, and forgotten or left alone.
      table.bigInteger('waits_since').nullable().index()
    })
  }
  await knex('registry_packages')
    .whereNull('registered_by_iin')
    .whereNull('registrator_bin')
    .update({ waits_since: knex.ref('stored_at') })
}
