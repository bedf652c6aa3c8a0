import type { Knex } from 'knex'

const TABLE = 'registry_document_digests'

/** Tells hashes that were computed for a later signature from those that were fixed: the log has an entry for each. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn(TABLE, 'is_later')) return
  await knex.schema.alterTable(TABLE, (table) => table.specificType('is_later', 'smallint').notNullable().defaultTo(0))
}
