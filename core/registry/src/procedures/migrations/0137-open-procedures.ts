import type { Knex } from 'knex'

const INDEX = 'registry_procedures_open'
const COLUMNS = ['kind', 'status', 'begun_by', 'expire_at']

/** Lets open procedures be counted by who began them without reading them. */
export async function up(knex: Knex, dialect: 'sqlite' | 'mysql'): Promise<void> {
  if (dialect === 'sqlite')
    return void (await knex.raw(`create index if not exists ${INDEX} on registry_procedures (${COLUMNS.join(', ')})`))
  const [found] = await knex.raw(`show index from registry_procedures where Key_name = '${INDEX}'`)
  if (found.length > 0) return
  await knex.schema.alterTable('registry_procedures', (table) => table.index(COLUMNS, INDEX))
}
