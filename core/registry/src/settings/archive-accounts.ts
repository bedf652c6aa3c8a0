import { AuditStore } from '../audit/index.js'
import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { integer, optional, type Stored, table } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import { limits } from '../kernel/limits.js'
import type { Injected } from '../kernel/service.js'

export interface ArchiveLimits {
  /** Default archive quota of a user or an organization, bytes. */
  readonly archiveQuota: number
}
export const ArchiveLimits = limits<ArchiveLimits>('ArchiveLimits', { archiveQuota: 100 * 1024 * 1024 })

/** Archive quota and usage of a user or an organization. */
export interface ArchiveAccount {
  /** The current quota, bytes. */
  readonly dataArchiveQuota: number
  /** When an additional quota ends, milliseconds; absent when it never ends or has ended. */
  readonly dataArchiveQuotaExpires?: number
  /** Bytes. */
  readonly dataArchiveUsage: number
}

/** A quota that an administrator sets. */
export interface ArchiveQuota {
  /** Bytes; `undefined` for the default of the service. */
  readonly bytes: number | undefined
  /** Milliseconds, after which the default applies again; `undefined` for a quota without end. */
  readonly expires: number | undefined
}

const accountsTable = table('registry_archive_accounts', {
  quota: optional(integer('quota')),
  quotaExpires: optional(integer('quota_expires')),
  used: integer('used'),
  /** When its owner was told that the quota is exceeded, and that it has expired; milliseconds. */
  exceededToldAt: optional(integer('exceeded_told_at')),
  expiredToldAt: optional(integer('expired_told_at')),
})

/** Stores archive quotas and usage of users and organizations. */
export class ArchiveAccounts {
  static readonly inject = { database: Database, audit: AuditStore, clock: Clock, limits: ArchiveLimits }

  constructor(private readonly use: Injected<typeof ArchiveAccounts.inject>) {}

  /** The account of an IIN or BIN; an empty one with the default quota where none is stored. */
  async get(ownerId: string): Promise<ArchiveAccount> {
    const row = await this.row(ownerId).first(...accountsTable.columns)
    const account = row && accountsTable.read(row)
    const { quota, quotaExpires: expires, used = 0 } = account ?? {}
    const inForce = quota !== undefined && (expires === undefined || expires > this.use.clock.now())
    return {
      dataArchiveQuota: inForce ? quota : this.use.limits.archiveQuota,
      ...(inForce && expires !== undefined && { dataArchiveQuotaExpires: expires }),
      dataArchiveUsage: used,
    }
  }

  /** Sets a quota on behalf of an administrator of the service. */
  async setQuota(ownerId: string, { bytes, expires }: ArchiveQuota, administrator: string): Promise<void> {
    const after = { quota: bytes, quotaExpires: bytes === undefined ? undefined : expires }
    await this.use.database.transaction(async () => {
      const { quota, quotaExpires } = await this.lock(ownerId)
      await this.row(ownerId).update(
        accountsTable.row({ ...after, exceededToldAt: undefined, expiredToldAt: undefined }),
      )
      await this.use.audit.append({
        ownerKind: 'archiveQuota',
        ownerId,
        original: { quota, quotaExpires },
        modified: after,
        administrator,
        modifiedAt: this.use.clock.now(),
      })
    })
  }

  /** Creates the account if there is none and locks it for this transaction. */
  private async lock(ownerId: string): Promise<Stored<typeof accountsTable>> {
    await insertOrLose(this.use.database.query(accountsTable.name).insert({ owner_id: ownerId }))
    const row = await this.row(ownerId)
      .first(...accountsTable.columns)
      .forUpdate()
    return row === undefined ? this.lock(ownerId) : accountsTable.read(row)
  }

  /**
   * Takes bytes of the current quota in the caller's transaction; false, taking none, where it has no room for all of them,
   * also among concurrent transactions.
   */
  async reserve(ownerId: string, bytes: number): Promise<boolean> {
    await insertOrLose(this.use.database.query(accountsTable.name).insert({ owner_id: ownerId, used: 0 }))
    const inForce = 'case when quota is not null and (quota_expires is null or quota_expires > ?) then quota else ? end'
    const taken = await this.row(ownerId)
      .whereRaw(`used + ? <= ${inForce}`, [bytes, this.use.clock.now(), this.use.limits.archiveQuota])
      .increment('used', bytes)
    return taken > 0
  }

  /** Releases reserved bytes in the caller's transaction. */
  async release(ownerId: string, bytes: number): Promise<void> {
    await this.row(ownerId).decrement('used', bytes)
  }

  /** Records that the quota was exceeded; true for the first time since it was set, when the owner is to be told. */
  async noteExceeded(ownerId: string): Promise<boolean> {
    const told = accountsTable.row({ exceededToldAt: this.use.clock.now() })
    return (await this.row(ownerId).whereNull('exceeded_told_at').update(told)) > 0
  }

  /** Takes owners who are to be told that their quota has expired, each only once, in the caller's transaction. */
  async noteExpired(limit: number): Promise<string[]> {
    const now = this.use.clock.now()
    const expired: string[] = await this.use.database
      .query(accountsTable.name)
      .where('quota_expires', '<=', now)
      .whereNull('expired_told_at')
      .orderBy('owner_id')
      .limit(limit)
      .forUpdate()
      .pluck('owner_id')
    const told = accountsTable.row({ expiredToldAt: now })
    await this.use.database.query(accountsTable.name).whereIn('owner_id', expired).update(told)
    return expired
  }

  /** Used bytes by owner, for owners after `after`, ordered by owner. */
  async usages(after: string, limit: number): Promise<ReadonlyMap<string, number>> {
    const rows: { owner_id: string; used: number | string }[] = await this.use.database
      .query(accountsTable.name)
      .where('owner_id', '>', after)
      .orderBy('owner_id')
      .limit(limit)
      .select('owner_id', 'used')
    return new Map(rows.map(({ owner_id: owner, used }) => [owner, Number(used)]))
  }

  private row(ownerId: string) {
    return this.use.database.query(accountsTable.name).where({ owner_id: ownerId })
  }
}
