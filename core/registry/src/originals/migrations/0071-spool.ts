import type { Knex } from 'knex'

/** Originals that are kept until the mails are out that they go with. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('registry_originals', 'spooled_until')) return
  await knex.schema.alterTable('registry_originals', (table) => {
    table.bigInteger('spooled_until').nullable().index()
  })
}
