import { Database } from '../database/database.js'

/** Whose settings changed. */
export type AuditOwner = 'user' | 'organization' | 'document' | 'package'

/** A change of settings, whole before and whole after. */
export interface AuditChange {
  readonly ownerKind: AuditOwner
  /** IIN, BIN or identifier of the owner. */
  readonly ownerId: string
  readonly original: object
  readonly modified: object
  /** IIN of the person; BIN where a system made the change. */
  readonly modifiedBy?: string | undefined
  /** SHA-256 of the client certificate of the system that made the change, lower-case hexadecimal. */
  readonly modifiedByDigest?: string | undefined
  /** Milliseconds. */
  readonly modifiedAt: number
}

/** A recorded change (specification, "Settings audit event"); `T` is the shape of the owner's settings. */
export interface AuditEvent<T> {
  readonly eventId: number
  readonly original: T
  readonly modified: T
  readonly modifiedBy?: string
  readonly modifiedByDigest?: string
  readonly modifiedAt: number
}

export interface AuditPage<T> {
  /** All events of the owner, whatever the page. */
  readonly eventsTotal: number
  readonly events: AuditEvent<T>[]
}

interface Row {
  event_id: number
  original: string
  modified: string
  modified_by: string | null
  modified_by_digest: string | null
  modified_at: number
}

/** Records changes of settings for ever. Events are added and read, never changed. */
export class AuditStore {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  /**
   * Adds an event and answers its `eventId`. The owner's row must be locked, in the same transaction as the change:
   * so events of one owner become visible in the order of their ids, and each begins where the one before it ended.
   */
  async append(change: AuditChange): Promise<number> {
    const [eventId] = await this.database.query('registry_audit_events').insert({
      owner_kind: change.ownerKind,
      owner_id: change.ownerId,
      original: JSON.stringify(change.original),
      modified: JSON.stringify(change.modified),
      modified_by: change.modifiedBy ?? null,
      modified_by_digest: change.modifiedByDigest ?? null,
      modified_at: change.modifiedAt,
    })
    return Number(eventId)
  }

  /** Events of an owner after `lastEventId`, oldest first, at most `limit`. */
  async page<T>(ownerKind: AuditOwner, ownerId: string, lastEventId: number, limit: number): Promise<AuditPage<T>> {
    const owned = this.database.query('registry_audit_events').where({ owner_kind: ownerKind, owner_id: ownerId })
    const total = await owned.clone().count({ total: '*' }).first()
    const rows: Row[] = await owned
      .andWhere('event_id', '>', lastEventId)
      .orderBy('event_id')
      .limit(limit)
      .select('event_id', 'original', 'modified', 'modified_by', 'modified_by_digest', 'modified_at')
    return { eventsTotal: Number(total?.total ?? 0), events: rows.map((row) => read<T>(row)) }
  }
}

const read = <T>(row: Row): AuditEvent<T> => ({
  eventId: Number(row.event_id),
  original: JSON.parse(row.original),
  modified: JSON.parse(row.modified),
  ...(row.modified_by !== null && { modifiedBy: row.modified_by }),
  ...(row.modified_by_digest !== null && { modifiedByDigest: row.modified_by_digest }),
  modifiedAt: Number(row.modified_at),
})
