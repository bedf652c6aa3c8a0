import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Knex } from 'knex'
import { isUniqueViolation } from './dialect.js'
import { retryLost } from './retry.js'

const TABLE = 'registry_leases'
const LIFE_MS = 60_000
const RENEWALS_PER_LIFE = 4
const POLL_MS = 100

/** Creates the table of leases; safe to call from several hosts at once. */
export async function createLeaseTable(knex: Knex): Promise<void> {
  const columns = 'name varchar(64) primary key, holder varchar(36), expires_at bigint'
  await retryLost(async () => knex.raw(`create table if not exists ${TABLE} (${columns})`))
}

/** Runs `work` while holding a named lease that only one host can hold; waits for it. Renews it while the work goes on. */
export async function withLease<T>(knex: Knex, name: string, work: () => Promise<T>): Promise<T> {
  const holder = randomUUID()
  while (!(await retryLost(() => take(knex, name, holder)))) await pause(POLL_MS)
  return hold(knex, name, holder, work)
}

/** Runs `work` if no other host holds the named lease, else does nothing. */
export async function ifLeaseFree(knex: Knex, name: string, work: () => Promise<void>): Promise<void> {
  const holder = randomUUID()
  if (await retryLost(() => take(knex, name, holder))) await hold(knex, name, holder, work)
}

async function hold<T>(knex: Knex, name: string, holder: string, work: () => Promise<T>): Promise<T> {
  const renewal = setInterval(() => void take(knex, name, holder).catch(() => undefined), LIFE_MS / RENEWALS_PER_LIFE)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await retryLost(async () => knex(TABLE).where({ name, holder }).delete())
  }
}

async function take(knex: Knex, name: string, holder: string): Promise<boolean> {
  const now = Date.now()
  const taken = await knex(TABLE)
    .where({ name })
    .andWhere((free) => free.where({ holder }).orWhere('expires_at', '<', now))
    .update({ holder, expires_at: now + LIFE_MS })
  if (taken === 1) return true
  try {
    await knex(TABLE).insert({ name, holder, expires_at: now + LIFE_MS })
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}
