import type { Knex } from 'knex'
import type { Dialect } from '../../database/dialect.js'

const TABLE = 'registry_routing_items'
const INDEX = 'registry_routing_items_in_time'

/** Says when items failed, and lets the newest items of a document or package be read, however many there are. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  if (!(await knex.schema.hasColumn(TABLE, 'failed_at')))
    await knex.schema.alterTable(TABLE, (table) => table.bigInteger('failed_at').nullable())
  if (dialect === 'sqlite')
    return void (await knex.raw(`create index if not exists ${INDEX} on ${TABLE} (subject_id, sent_at)`))
  const [found] = await knex.raw(`show index from ${TABLE} where Key_name = '${INDEX}'`)
  if (found.length > 0) return
  await knex.schema.alterTable(TABLE, (table) => table.index(['subject_id', 'sent_at'], INDEX))
}
