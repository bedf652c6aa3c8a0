import type { Knex } from 'knex'

const TABLE = 'registry_document_digests'

/** Tells when hashes were computed for a later signature; not of those that were fixed. The log has an entry for each. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn(TABLE, 'later_at')) return
  await knex.schema.alterTable(TABLE, (table) => table.bigInteger('later_at').nullable())
}
