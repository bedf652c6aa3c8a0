import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii, bytes, blob, json, text } = columns(dialect)

  await createTable(knex, 'registry_documents', (table) => {
    table.specificType('id', id).primary()
    table.bigInteger('stored_at').notNullable().index()
    table.specificType('title', text(255)).notNullable()
    table.specificType('description', text(2000)).notNullable()
    table.bigInteger('signed_data_size').notNullable().defaultTo(0)
    table.bigInteger('digests_fixed_at').nullable()
    table.specificType('settings', json).notNullable()
    table.specificType('email_notifications', json).nullable()
    table.integer('signatures_total').notNullable().defaultTo(0)
    table.boolean('preregistered').notNullable().defaultTo(false)
    // BIN and mutual-TLS certificate (DER) of the information system that registered the document.
    table.specificType('registrator_bin', ascii(16)).nullable()
    table.specificType('registrator_certificate', blob).nullable()
  })

  await createTable(knex, 'registry_document_digests', (table) => {
    table.specificType('document_id', id).notNullable().references('registry_documents.id')
    table.specificType('algorithm', ascii(64)).notNullable()
    table.specificType('value', bytes(64)).notNullable()
    table.primary(['document_id', 'algorithm'])
  })

  await createTable(knex, 'registry_signatures', (table) => {
    table.bigIncrements('sign_id')
    table.specificType('document_id', id).notNullable().references('registry_documents.id')
    table.bigInteger('stored_at').notNullable()
    table.specificType('sign_type', ascii(8)).notNullable()
    table.specificType('user_id', ascii(16)).notNullable()
    table.specificType('business_id', ascii(16)).nullable()
    // Identity of the signature: its signer and the bytes that were signed, never the malleable signature value.
    table.specificType('fingerprint', bytes(32)).notNullable().unique()
    table.specificType('signed_digests', json).notNullable()
    table.specificType('facts', json).notNullable()
    table.specificType('signature', blob).notNullable()
    table.specificType('time_stamp', blob).notNullable()
    table.specificType('ocsp', blob).nullable()
    table.specificType('certificates', blob).notNullable()
    table.specificType('email_notifications', json).nullable()
    table.index(['document_id', 'sign_id'])
    table.index(['document_id', 'user_id', 'business_id'])
    table.index(['document_id', 'business_id'])
  })
}
