import type { Knex } from 'knex'
import { type Logger, standardLogger } from '../kernel/logger.js'
import type { Migration, Part } from '../kernel/part.js'
import { dialectOf, isForbidden } from './dialect.js'
import { createLeaseTable, withLease } from './lease.js'
import { retryLost } from './transaction.js'

/** Steps of the schema, in the order in which they run. */
export type Migrations = readonly (Migration & { readonly name: string })[]

/** The steps of all areas in the order of their names, then those of each plugin. */
export function migrationsOf(areas: readonly Part[], plugins: readonly Part[]): Migrations {
  const steps = (part: Part) => Object.entries(part.migrations ?? {}).map(([name, { up }]) => ({ name, up }))
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  const all = [...areas.flatMap(steps).sort(byName), ...plugins.flatMap((plugin) => steps(plugin).sort(byName))]
  for (const { name, migrations = {} } of plugins) {
    const wrong = Object.keys(migrations).find((step) => !step.startsWith(`${name}-`))
    if (wrong !== undefined) throw new TypeError(`The migration ${wrong} of plugin ${name} must be called ${name}-…`)
  }
  const names = all.map(({ name }) => name)
  const twice = names.find((name, n) => names.indexOf(name) < n)
  if (twice !== undefined) throw new TypeError(`Two migrations are called ${twice}`)
  return all
}

/** Thrown at the start when the database cannot be used: the cause is the driver's error, or what is wrong with the schema. */
export class DatabaseNotUsable extends Error {
  override readonly name = 'DatabaseNotUsable'

  constructor(cause: unknown) {
    super(`The database cannot be used: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

const TABLE = 'registry_migrations'
const OF_CORE = /^\d{4}-/

/** How the schema of a database compares with the steps that a program knows. */
export interface SchemaStatus {
  readonly applied: readonly string[]
  /** Steps that are still to run, in their order. */
  readonly pending: readonly string[]
  /** Steps of a later version of core: this program must leave the database alone. */
  readonly newer: readonly string[]
}

/** Reads the state of the schema; changes nothing. */
export async function schemaStatus(knex: Knex, migrations: Migrations): Promise<SchemaStatus> {
  const applied: string[] = (await knex.schema.hasTable(TABLE)) ? await knex(TABLE).orderBy('name').pluck('name') : []
  const known = new Set(migrations.map(({ name }) => name))
  return {
    applied,
    pending: [...known].filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => OF_CORE.test(name) && !known.has(name)),
  }
}

/**
 * Brings the schema up to date; if it is already, no privilege to change tables is needed. Several hosts may call it at
 * once: one works, the others wait. Refuses a schema of a later version of core.
 */
export async function migrate(knex: Knex, migrations: Migrations, logger: Logger = standardLogger): Promise<void> {
  const missing = await pendingSteps(knex, migrations)
  if (missing.length === 0) return
  try {
    await makeSteps(knex, migrations, logger)
  } catch (error) {
    if (!isForbidden(error)) throw error
    const what = missing.length > 3 ? `${missing.length} steps` : missing.join(', ')
    const text = `its schema lacks ${what}, and this user may not change it: run \`signed-registry migrate up\` as one who may`
    throw new Error(text, { cause: error })
  }
}

async function pendingSteps(knex: Knex, migrations: Migrations): Promise<readonly string[]> {
  const { pending, newer } = await schemaStatus(knex, migrations)
  if (newer.length === 0) return pending
  throw new Error(`its schema is newer than this program (${newer.join(', ')}): install the version that made it`)
}

async function makeSteps(knex: Knex, migrations: Migrations, logger: Logger): Promise<void> {
  await createLeaseTable(knex)
  const work = async () => {
    await knex.raw(`create table if not exists ${TABLE} (name varchar(64) primary key, applied_at bigint not null)`)
    const pending = await pendingSteps(knex, migrations)
    for (const { name, up } of migrations) {
      if (!pending.includes(name)) continue
      await retryLost(() => up(knex, dialectOf(knex)))
      await knex(TABLE).insert({ name, applied_at: Date.now() })
    }
  }
  await withLease(knex, 'migrations', work, ({ holder, remainingMs }) =>
    logger.warn('Waiting for another host that changes the schema of the database', { holder, remainingMs }),
  )
}
