import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii, blob, json, text } = columns(dialect)

  await createTable(knex, 'registry_packages', (table) => {
    table.specificType('id', id).primary()
    table.bigInteger('stored_at').notNullable()
    table.specificType('title', text(255)).notNullable()
    table.specificType('description', text(2000)).notNullable()
    table.specificType('settings', json).notNullable()
    table.specificType('documents_settings', json).notNullable()
    table.specificType('documents_ids', json).notNullable()
    table.specificType('email_notifications', json).nullable()
    // The person or employee who registered the package, if they were known.
    table.specificType('registered_by_iin', ascii(16)).nullable()
    table.specificType('registered_by_bin', ascii(16)).nullable()
    // BIN and mutual-TLS certificate (DER) of the information system that did.
    table.specificType('registrator_bin', ascii(16)).nullable()
    table.specificType('registrator_certificate', blob).nullable()
  })

  // Whom each signing of the whole package asked to notify.
  await createTable(knex, 'registry_package_notifications', (table) => {
    table.bigIncrements('id')
    table.specificType('package_id', id).notNullable().references('registry_packages.id')
    table.specificType('sign_ids', json).notNullable()
    table.specificType('email_notifications', json).notNullable()
    table.index(['package_id', 'id'])
  })

  if (!(await knex.schema.hasColumn('registry_documents', 'package_id'))) {
    await knex.schema.alterTable('registry_documents', (table) => {
      table.specificType('package_id', id).nullable()
    })
  }
}
