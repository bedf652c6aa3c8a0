import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii, json } = columns(dialect)

  await createTable(knex, 'registry_routing_items', (table) => {
    table.specificType('id', id).primary()
    table.specificType('subject_kind', ascii(8)).notNullable()
    table.specificType('subject_id', id).notNullable()
    table.specificType('sender', ascii(16)).notNullable()
    table.specificType('receiver', ascii(16)).notNullable()
    table.specificType('status', ascii(8)).notNullable()
    table.bigInteger('sent_at').notNullable()
    table.bigInteger('delivered_at').nullable()
    table.specificType('failure', ascii(32)).nullable()
    table.integer('comments_count').notNullable()
    table.index(['subject_id', 'receiver'])
    table.index(['subject_id', 'sender'])
    table.index(['status', 'sent_at'])
  })

  await createTable(knex, 'registry_routing_comments', (table) => {
    table.bigIncrements('id')
    table.specificType('item_id', id).notNullable().references('registry_routing_items.id')
    table.bigInteger('stored_at').notNullable()
    table.specificType('author', ascii(16)).notNullable()
    // The employee, or the certificate of the system, that wrote in the name of the author.
    table.specificType('made_by', ascii(64)).notNullable()
    table.specificType('status', ascii(8)).nullable()
    table.specificType('value', json).nullable()
    table.index(['item_id', 'id'])
  })
}
