import type { Knex } from 'knex'
import { createTable } from '../../database/create-table.js'
import { columns, type Dialect } from '../../database/dialect.js'

const EMAIL = 254

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, bytes, json, text } = columns(dialect)

  await createTable(knex, 'registry_audit_events', (table) => {
    table.bigIncrements('event_id')
    table.specificType('owner_kind', ascii(16)).notNullable()
    table.specificType('owner_id', ascii(16)).notNullable()
    table.specificType('original', json).notNullable()
    table.specificType('modified', json).notNullable()
    table.specificType('modified_by', ascii(16)).nullable()
    table.specificType('modified_by_digest', ascii(64)).nullable()
    table.bigInteger('modified_at').notNullable()
    table.index(['owner_kind', 'owner_id', 'event_id'])
  })

  await createTable(knex, 'registry_user_settings', (table) => {
    table.specificType('iin', ascii(16)).primary()
    table.boolean('email_notifications_enabled').notNullable()
    table.boolean('email_notifications_routing_enabled').notNullable()
    table.specificType('email', text(EMAIL)).notNullable()
    table.boolean('data_archive_enabled').notNullable()
    table.specificType('data_archive_contact_email', text(EMAIL)).notNullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('modified_at').notNullable()
  })

  await createTable(knex, 'registry_organizations', (table) => {
    table.specificType('bin', ascii(16)).primary()
    table.specificType('tls_certificates', json).notNullable()
    table.specificType('controls', json).notNullable()
    table.specificType('webhooks', json).notNullable()
    table.boolean('data_archive_enabled').notNullable()
    table.specificType('data_archive_contact_email', text(EMAIL)).notNullable()
    table.specificType('subscription_contact_email', text(EMAIL)).notNullable()
    table.specificType('routing_contact_email', text(EMAIL)).notNullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('modified_at').notNullable()
  })

  await createTable(knex, 'registry_tls_certificates', (table) => {
    // SHA-256 of the SubjectPublicKeyInfo: a key belongs to one organization.
    table.specificType('key_digest', bytes(32)).notNullable().primary()
    table.specificType('bin', ascii(16)).notNullable().references('registry_organizations.bin')
    table.integer('position').notNullable()
    table.boolean('disabled').notNullable()
    table.index(['bin', 'position'])
  })

  await createTable(knex, 'registry_archive_accounts', (table) => {
    table.specificType('owner_id', ascii(16)).primary()
    table.bigInteger('quota').nullable()
    table.bigInteger('quota_expires').nullable()
    table.bigInteger('used').notNullable().defaultTo(0)
  })

  await createTable(knex, 'registry_subscriptions', (table) => {
    table.specificType('bin', ascii(16)).primary()
    table.specificType('name', ascii(32)).notNullable()
    table.bigInteger('expires').notNullable()
    table.specificType('contact_email', text(EMAIL)).nullable()
    table.specificType('disabled_features', json).notNullable()
  })
}
