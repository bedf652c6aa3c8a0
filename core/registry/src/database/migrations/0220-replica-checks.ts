import type { Knex } from 'knex'
import { createTable } from '../create-table.js'
import { columns, type Dialect } from '../dialect.js'

/** Adds the marks by which a host sees that a replica is one of its database. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id } = columns(dialect)
  await createTable(knex, 'registry_replica_checks', (table) => {
    table.specificType('mark', id).notNullable().primary()
  })
}
