import type { Knex } from 'knex'
import type { Dialect } from '../../database/dialect.js'

const TABLE = 'registry_document_digests'
const FORMER = 'registry_document_digests_value'
/** Updated together: a node of a Galera cluster refuses what changes too much at once, and others wait for it. */
const ROWS_AT_ONCE = 5_000
const LAST_ID = '~'
const INDEX = 'registry_document_digests_open'

/** Keeps beside each hash whether everybody may view its document and when that was registered: of any number of documents with one hash, those that a caller may view are found by an index. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  if (!(await knex.schema.hasColumn(TABLE, 'stored_at'))) {
    await knex.schema.alterTable(TABLE, (table) => {
      table.boolean('is_open').notNullable().defaultTo(false)
      table.bigInteger('stored_at').notNullable().defaultTo(0)
    })
  }
  const settings = `(case when d.settings <> 'null' then d.settings else
    (select p.documents_settings from registry_packages p where p.id = d.package_id) end)`
  const setting = (name: string) => `json_extract(${settings}, '$.${name}')`
  const isOn = (name: string) =>
    dialect === 'mysql' ? `cast(${setting(name)} as char) = 'true'` : `${setting(name)} = 1`
  const update = `update ${TABLE} set
      stored_at = (select d.stored_at from registry_documents d where d.id = ${TABLE}.document_id),
      is_open = (select case when coalesce(${isOn('private')}, 0) = 0
        or (coalesce(${isOn('publicDuringPreregistration')}, 0) = 1 and d.preregistered = 1 and d.signatures_total = 0)
        or coalesce(${setting('publicWhileLessThanSignatures')}, 0) > d.signatures_total then 1 else 0 end
        from registry_documents d where d.id = ${TABLE}.document_id)
    where stored_at = 0 and document_id > ? and document_id <= ?`
  const idAfter = async (id: string): Promise<string | undefined> => {
    const rows = knex(TABLE).where('document_id', '>', id).orderBy('document_id').offset(ROWS_AT_ONCE).limit(1)
    return (await rows.pluck('document_id'))[0]
  }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const last: string | undefined = await idAfter(after)
    await knex.raw(update, [after, last ?? LAST_ID])
    after = last
  }
  if (!(await hasIndex(knex, dialect, INDEX)))
    await knex.schema.alterTable(TABLE, (table) => table.index(['value', 'is_open', 'stored_at', 'document_id'], INDEX))
  if (await hasIndex(knex, dialect, FORMER))
    await knex.schema.alterTable(TABLE, (table) => table.dropIndex(['value'], FORMER))
}

async function hasIndex(knex: Knex, dialect: Dialect, name: string): Promise<boolean> {
  if (dialect === 'mysql') return (await knex.raw(`show index from ${TABLE} where Key_name = '${name}'`))[0].length > 0
  return (await knex.raw(`select 1 from sqlite_master where type = 'index' and name = '${name}'`)).length > 0
}
