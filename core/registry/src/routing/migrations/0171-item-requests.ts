import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

const TABLE = 'registry_routing_items'

/** What the sender wants and until when, who sent it, whether it was opened, and reminders. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  if (await knex.schema.hasColumn(TABLE, 'reminded_at')) return
  const { ascii } = columns(dialect)
  await knex.schema.alterTable(TABLE, (table) => {
    table.specificType('made_by', ascii(64)).nullable()
    table.boolean('to_sign').notNullable().defaultTo(false)
    table.bigInteger('deadline').nullable()
    table.bigInteger('opened_at').nullable()
    table.integer('reminders').notNullable().defaultTo(0)
    table.bigInteger('reminded_at').nullable()
  })
}
