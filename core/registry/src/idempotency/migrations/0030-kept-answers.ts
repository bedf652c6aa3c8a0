import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { bytes, json } = columns(dialect)

  await createTable(knex, 'registry_kept_answers', (table) => {
    // SHA-256 of the caller and the key.
    table.specificType('key_digest', bytes(32)).notNullable().primary()
    table.specificType('request_digest', bytes(32)).notNullable()
    table.specificType('answer', json).notNullable()
    table.bigInteger('kept_at').notNullable().index()
  })
}
