import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, bytes, json } = columns(dialect)

  await createTable(knex, 'registry_nonces', (table) => {
    // Each nonce under several digest algorithms.
    table.specificType('digest', bytes(64)).notNullable().primary()
    table.bigInteger('expires_at').notNullable().index()
    table.boolean('used').notNullable()
  })

  await createTable(knex, 'registry_authentications', (table) => {
    table.bigIncrements('id')
    table.specificType('user_id', ascii(16)).notNullable()
    // Empty for a natural person.
    table.specificType('business_id', ascii(16)).notNullable()
    table.bigInteger('auth_at').notNullable()
    table.specificType('serial_number', ascii(64)).notNullable()
    table.specificType('issuer', json).notNullable()
    table.specificType('ip', ascii(64)).notNullable()
    table.specificType('result', json).notNullable()
    table.index(['user_id', 'business_id', 'id'])
  })
}
