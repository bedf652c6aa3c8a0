import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Knex } from 'knex'
import { isUniqueViolation } from './dialect.js'
import { retryLost } from './transaction.js'

const TABLE = 'registry_leases'
const LIFE_MS = 60_000
const RENEWALS_PER_LIFE = 4
const POLL_MS = 100
const REPORT_FIRST_MS = 1000
const REPORT_EVERY_MS = 5000
const MAX_HOST = 16

/** Who holds a lease that a host waits for, and when it expires if the holder is dead. */
export interface LeaseHolder {
  /** `host/process/…`: says where to look. */
  readonly holder: string
  readonly remainingMs: number
}

/** Creates the table of leases; safe to call from several hosts at once. */
export async function createLeaseTable(knex: Knex): Promise<void> {
  const columns = 'name varchar(64) primary key, holder varchar(36), expires_at bigint'
  await retryLost(async () => knex.raw(`create table if not exists ${TABLE} (${columns})`))
}

/**
 * Runs `work` while holding a named lease that only one host can hold. Waits for it, and reports the holder after a second
 * and then every five. Renews it while the work goes on.
 */
export async function withLease<T>(
  knex: Knex,
  name: string,
  work: () => Promise<T>,
  onWait: (other: LeaseHolder) => void = () => undefined,
): Promise<T> {
  const holder = newHolder()
  let reportedAt = performance.now() - REPORT_EVERY_MS + REPORT_FIRST_MS
  while (!(await retryLost(() => take(knex, name, holder)))) {
    if (performance.now() - reportedAt >= REPORT_EVERY_MS) {
      reportedAt = performance.now()
      const other = await knex(TABLE).where({ name }).first('holder', 'expires_at')
      if (other) onWait({ holder: other.holder, remainingMs: Number(other.expires_at) - Date.now() })
    }
    await pause(POLL_MS)
  }
  return hold(knex, name, holder, work)
}

/** Runs `work` if no other host holds the named lease, else does nothing. */
export async function ifLeaseFree(knex: Knex, name: string, work: () => Promise<void>): Promise<void> {
  const holder = newHolder()
  if (await retryLost(() => take(knex, name, holder))) await hold(knex, name, holder, work)
}

const newHolder = (): string =>
  `${hostname().slice(0, MAX_HOST)}/${process.pid}/${randomBytes(16).toString('base64url')}`.slice(0, 36)

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
    .andWhere((free) =>
      // No lease lasts this long: a wrong clock dated it.
      free
        .where({ holder })
        .orWhere('expires_at', '<', now)
        .orWhere('expires_at', '>', now + 2 * LIFE_MS),
    )
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
