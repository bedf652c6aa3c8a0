import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, json, text } = columns(dialect)

  const add = async (name: string, type: string, fallback?: number) => {
    if (await knex.schema.hasColumn('registry_audit_events', name)) return
    await knex.schema.alterTable('registry_audit_events', (table) => {
      const column = table.specificType(name, type)
      if (fallback === undefined) column.nullable()
      else column.notNullable().defaultTo(fallback)
    })
  }
  // What changed, where `modified` is empty; `original` is empty where the event before ended with it.
  await add('change', json)
  // Events since one whose state is kept whole.
  await add('since', 'integer', 0)
  // SHA-256 of the state after the event.
  await add('state', ascii(64))
  await add('administrator', text(255))

  // The chain: each hash is over the one before it and the events after that one's last.
  await createTable(knex, 'registry_audit_seals', (table) => {
    table.bigInteger('last_event_id').notNullable().primary()
    table.specificType('hash', ascii(64)).notNullable()
    table.bigInteger('sealed_at').notNullable()
  })
}
