import type { Knex } from 'knex'

const INDEX = 'registry_document_digests_value'

/** Lets documents be found by a hash of their original. */
export async function up(knex: Knex, dialect: 'sqlite' | 'mysql'): Promise<void> {
  if (dialect === 'sqlite')
    return void (await knex.raw(`create index if not exists ${INDEX} on registry_document_digests (value)`))
  const [found] = await knex.raw(`show index from registry_document_digests where Key_name = '${INDEX}'`)
  if (found.length > 0) return
  await knex.schema.alterTable('registry_document_digests', (table) => table.index(['value'], INDEX))
}
