import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii, text, bytes, blob, json } = columns(dialect)

  await createTable(knex, 'registry_procedures', (table) => {
    table.specificType('id', id).primary()
    table.specificType('kind', ascii(8)).notNullable()
    table.specificType('status', ascii(8)).notNullable()
    // Grows with every change, so that other hosts see that there was one.
    table.integer('version').notNullable()
    table.specificType('document_id', id).nullable().index()
    table.specificType('package_id', id).nullable().index()
    // SHA-256 of the secrets in the links of the app and of who began.
    table.specificType('app_key', bytes(32)).notNullable().unique()
    table.specificType('caller_key', bytes(32)).nullable().unique()
    table.specificType('begun_by', text(64)).notNullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('expire_at').notNullable()
    // Until when the app waits for data that nobody has brought yet.
    table.bigInteger('wanted_until').notNullable()
    table.specificType('details', json).notNullable()
    table.specificType('data_body', id).nullable()
    table.specificType('result_body', id).nullable()
    table.specificType('sign_ids', json).nullable()
    table.specificType('errors', json).nullable()
    table.specificType('signer', ascii(16)).nullable()
    table.specificType('login', json).nullable()
    table.specificType('channel', json).nullable()
    table.bigInteger('claimed_until').nullable()
    table.index(['status', 'expire_at'])
    table.index(['begun_by', 'expire_at'])
  })

  await createTable(knex, 'registry_procedure_bodies', (table) => {
    table.specificType('id', id).primary()
    table.specificType('procedure_id', id).notNullable().index()
    table.specificType('name', ascii(16)).notNullable()
    table.specificType('type', text(255)).nullable()
    table.bigInteger('size').notNullable()
    table.bigInteger('created_at').notNullable()
  })

  await createTable(knex, 'registry_procedure_chunks', (table) => {
    table.specificType('body_id', id).notNullable()
    table.integer('number').notNullable()
    table.specificType('bytes', blob).notNullable()
    table.primary(['body_id', 'number'])
  })

  await createTable(knex, 'registry_held_calls', (table) => {
    table.specificType('id', id).primary()
    table.specificType('procedure_id', id).notNullable().index()
    table.specificType('side', ascii(8)).notNullable()
    // Address at which other hosts reach the one that holds the call; none where they cannot.
    table.specificType('host', ascii(255)).nullable()
    table.bigInteger('since').notNullable().index()
  })
}
