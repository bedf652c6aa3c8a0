import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii, text, json } = columns(dialect)

  await createTable(knex, 'registry_deliveries', (table) => {
    table.specificType('id', id).primary()
    table.specificType('channel', ascii(32)).notNullable()
    table.specificType('target', ascii(64)).notNullable()
    table.specificType('owner', ascii(64)).notNullable()
    table.specificType('event_id', ascii(64)).nullable()
    table.specificType('payload', json).notNullable()
    table.specificType('state', ascii(16)).notNullable()
    table.integer('attempts').notNullable()
    table.integer('failures').notNullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('next_at').notNullable()
    table.specificType('lease', id).nullable()
    table.specificType('last_error', text(500)).nullable()
    table.bigInteger('last_at').nullable()
    // SKIP LOCKED skips only what is locked row by row: every claim must find its rows in the order of an index.
    table.index(['channel', 'state', 'next_at', 'target'], 'registry_deliveries_due')
    table.index(['owner', 'channel', 'created_at', 'id'], 'registry_deliveries_owner')
  })
  await createTable(knex, 'registry_delivery_attempts', (table) => {
    table.specificType('delivery_id', id).notNullable()
    table.integer('attempt').notNullable()
    table.bigInteger('started_at').notNullable()
    table.integer('duration_ms').notNullable()
    table.specificType('outcome', ascii(16)).notNullable()
    table.integer('status').nullable()
    table.specificType('answer', text(1024)).nullable()
    table.specificType('error', text(500)).nullable()
    table.primary(['delivery_id', 'attempt'])
  })
  // Nobody ever read it: what an event causes is now kept as deliveries in the same transaction.
  await knex.schema.dropTableIfExists('registry_outbox')
}
