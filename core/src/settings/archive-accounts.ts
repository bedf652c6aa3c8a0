import { Database } from '../database/database.js'
import { isUniqueViolation } from '../database/dialect.js'
import { Clock } from '../kernel/clock.js'
import { Limits } from '../kernel/limits.js'

/** How much a user or an organization may archive, and does. */
export interface ArchiveAccount {
  /** Bytes in force now. */
  readonly dataArchiveQuota: number
  /** When an additional quota ends, milliseconds; absent when it does not, or has. */
  readonly dataArchiveQuotaExpires?: number
  /** Bytes. */
  readonly dataArchiveUsage: number
}

/** A quota that an administrator sets. */
export interface ArchiveQuota {
  /** Bytes; `undefined` for the default of the service. */
  readonly bytes: number | undefined
  /** Milliseconds; `undefined` for a quota without end. Afterwards the default is in force again. */
  readonly expires: number | undefined
}

interface Row {
  quota: number | null
  quota_expires: number | null
  used: number
}

/** Keeps the archive quotas and usages of users and organizations. */
export class ArchiveAccounts {
  static readonly inject = [Database, Clock, Limits] as const

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {}

  /** The account of an IIN or BIN; an empty one with the default quota where there is none yet. */
  async get(ownerId: string): Promise<ArchiveAccount> {
    const row: Row | undefined = await this.#row(ownerId).first('quota', 'quota_expires', 'used')
    const quota = row?.quota ?? null
    const expires = row?.quota_expires ?? null
    const inForce = quota !== null && (expires === null || Number(expires) > this.clock.now())
    return {
      dataArchiveQuota: inForce ? Number(quota) : this.limits.archiveQuota,
      ...(inForce && expires !== null && { dataArchiveQuotaExpires: Number(expires) }),
      dataArchiveUsage: Number(row?.used ?? 0),
    }
  }

  async setQuota(ownerId: string, { bytes, expires }: ArchiveQuota): Promise<void> {
    const quota = { quota: bytes ?? null, quota_expires: bytes === undefined ? null : (expires ?? null) }
    if ((await this.#row(ownerId).update(quota)) > 0) return
    try {
      await this.database.query('registry_archive_accounts').insert({ owner_id: ownerId, ...quota })
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      await this.#row(ownerId).update(quota)
    }
  }

  #row(ownerId: string) {
    return this.database.query('registry_archive_accounts').where({ owner_id: ownerId })
  }
}
