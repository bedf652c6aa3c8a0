import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii } = columns(dialect)
  await createTable(knex, 'registry_shares', (table) => {
    table.specificType('resource', ascii(32)).notNullable()
    table.specificType('owner', ascii(64)).notNullable()
    table.bigInteger('used').notNullable()
    table.primary(['resource', 'owner'])
  })
}
