import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

const LOGS = 'registry_logs'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, json } = columns(dialect)
  // The key that a log is about to be signed by: hosts that have the former one alone sign nothing more.
  if (!(await knex.schema.hasColumn(LOGS, 'next_key')))
    await knex.schema.alterTable(LOGS, (table) => table.specificType('next_key', ascii(512)).nullable())
  // The checkpoint that both keys signed, for those who know the former one.
  await createTable(knex, 'registry_log_key_changes', (table) => {
    table.specificType('log', 'tinyint').notNullable()
    table.bigInteger('size').notNullable()
    table.specificType('former_key', ascii(512)).notNullable()
    table.specificType('note', json).notNullable()
    table.bigInteger('changed_at').notNullable()
    table.primary(['log', 'size'])
  })
}
