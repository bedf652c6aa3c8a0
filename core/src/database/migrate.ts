import type { Knex } from 'knex'
import { type Dialect, dialectOf } from './dialect.js'
import { createLeaseTable, withLease } from './lease.js'
import * as documents from './migrations/0001-documents.js'
import * as serviceCalls from './migrations/0002-service-calls.js'
import * as settings from './migrations/0003-settings.js'
import * as auth from './migrations/0004-auth.js'
import * as lists from './migrations/0006-lists.js'
import * as packages from './migrations/0007-packages.js'
import * as routing from './migrations/0008-routing.js'
import * as outbox from './migrations/0009-outbox.js'
import * as revocationLists from './migrations/0010-revocation-lists.js'
import { retryLost } from './retry.js'

/** One step of the schema. It must be repeatable: MySQL cannot roll back a statement that changes tables. */
export interface Migration {
  up(knex: Knex, dialect: Dialect): Promise<void>
}

/** In order; a name never changes once released. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-documents': documents,
  '0002-service-calls': serviceCalls,
  '0003-settings': settings,
  '0004-auth': auth,
  '0006-lists': lists,
  '0007-packages': packages,
  '0008-routing': routing,
  '0009-outbox': outbox,
  '0010-revocation-lists': revocationLists,
}

const TABLE = 'registry_migrations'

/** Brings the schema up to date. Several hosts may call it at once: one works, the others wait for it. */
export async function migrate(knex: Knex): Promise<void> {
  await createLeaseTable(knex)
  await withLease(knex, 'migrations', async () => {
    await knex.raw(`create table if not exists ${TABLE} (name varchar(64) primary key, applied_at bigint not null)`)
    const applied = new Set<string>(await knex(TABLE).pluck('name'))
    for (const [name, migration] of Object.entries(MIGRATIONS)) {
      if (applied.has(name)) continue
      await retryLost(() => migration.up(knex, dialectOf(knex)))
      await knex(TABLE).insert({ name, applied_at: Date.now() })
    }
  })
}
