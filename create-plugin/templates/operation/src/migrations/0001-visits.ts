import { columns, createTable, type Dialect } from '@signed-registry/core'
import type { Knex } from 'knex'

/** Repeatable, since MySQL cannot roll it back; once it was released it never changes, and what comes later is another file. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii } = columns(dialect)
  await createTable(knex, 'our_plugin_visits', (table) => {
    table.specificType('visit_id', ascii(16)).primary()
    table.specificType('name', ascii(40)).notNullable().index('our_plugin_visits_by_name')
    table.bigInteger('visited_at').notNullable()
  })
}
