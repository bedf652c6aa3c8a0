import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

const TABLE = 'registry_authentications'
const INDEX = 'registry_authentications_session'

/** Random identifiers of sessions; those that began before, under their number, end. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii } = columns(dialect)
  if (!(await knex.schema.hasColumn(TABLE, 'session_id')))
    await knex.schema.alterTable(TABLE, (table) => table.specificType('session_id', ascii(22)).nullable())
  if (dialect === 'sqlite')
    return void (await knex.raw(`create unique index if not exists ${INDEX} on ${TABLE} (session_id)`))
  const [found] = await knex.raw(`show index from ${TABLE} where Key_name = '${INDEX}'`)
  if (found.length > 0) return
  await knex.schema.alterTable(TABLE, (table) => table.unique(['session_id'], { indexName: INDEX }))
}
