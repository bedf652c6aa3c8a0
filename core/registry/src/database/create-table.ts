import type { Knex } from 'knex'

/** Creates a table unless it exists. */
export async function createTable(
  knex: Knex,
  name: string,
  build: (table: Knex.CreateTableBuilder) => void,
): Promise<void> {
  if (!(await knex.schema.hasTable(name))) await knex.schema.createTable(name, build)
}
