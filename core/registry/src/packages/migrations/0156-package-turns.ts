import type { Knex } from 'knex'

const TABLE = 'registry_packages'

/** Counts those who lock a package and perhaps write nothing else into its row: at two nodes of a Galera cluster both would commit. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn(TABLE, 'turns')) return
  await knex.schema.alterTable(TABLE, (table) => table.integer('turns').notNullable().defaultTo(0))
}
