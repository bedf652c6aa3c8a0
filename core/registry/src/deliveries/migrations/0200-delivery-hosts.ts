import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

/** Adds the hosts that send the deliveries of each channel, of which each takes its share. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii } = columns(dialect)
  await createTable(knex, 'registry_delivery_hosts', (table) => {
    table.specificType('channel', ascii(32)).notNullable()
    table.specificType('host', id).notNullable()
    table.integer('turn').notNullable()
    table.primary(['channel', 'host'])
  })
}
