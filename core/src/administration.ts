import type { Knex } from 'knex'
import { Database } from './database/database.js'
import { migrate } from './database/migrate.js'
import { openDatabase } from './database/open.js'
import { type Clock, systemClock } from './kernel/clock.js'
import { defaultLimits, type Limits } from './kernel/limits.js'
import { ListAccounts, SetSubscription, SubscriptionStore } from './organizations/index.js'
import { ArchiveAccounts, type ArchiveQuota } from './settings/index.js'

/** What the administrator of a service may do with its database, beside a running registry. */
export interface Administration {
  readonly setSubscription: SetSubscription
  readonly accounts: ListAccounts
  /** Sets the archive quota of an IIN or BIN. */
  setArchiveQuota(owner: string, quota: ArchiveQuota): Promise<void>
  /** Closes what was opened. */
  close(): Promise<void>
}

/** Opens a database for administration; brings its schema up to date. No authorities are needed. */
export async function openAdministration(options: {
  /** As in `createRegistry`. */
  readonly database: string | Knex
  readonly limits?: Partial<Limits>
  readonly clock?: Clock
}): Promise<Administration> {
  const { clock = systemClock } = options
  const knex = typeof options.database === 'string' ? openDatabase(options.database) : options.database
  const close = async () => {
    if (typeof options.database === 'string') await knex.destroy()
  }
  try {
    await migrate(knex)
  } catch (error) {
    await close()
    throw error
  }
  const database = new Database(knex)
  const archive = new ArchiveAccounts(database, clock, { ...defaultLimits, ...options.limits })
  const subscriptions = new SubscriptionStore(database)
  return {
    setSubscription: new SetSubscription(subscriptions, database, clock),
    accounts: new ListAccounts(database, archive, subscriptions, clock),
    setArchiveQuota: (owner, quota) => archive.setQuota(owner, quota),
    close,
  }
}
