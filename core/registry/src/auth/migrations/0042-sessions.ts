import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { json } = columns(dialect)
  const add = async (name: string, type: string) => {
    if (await knex.schema.hasColumn('registry_authentications', name)) return
    await knex.schema.alterTable('registry_authentications', (table) => {
      table.specificType(name, type).nullable()
    })
  }
  // Certificates from the signer to a trust anchor: sessions ask again whether the signer's is good.
  await add('path', json)
  // When it was last known to be good.
  await add('good_at', 'bigint')
  await add('ended_at', 'bigint')
}
