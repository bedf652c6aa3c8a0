import type { Knex } from 'knex'
import { Database } from '../database/database.js'
import type { ItemStatus, Subject } from '../events/index.js'
import { ID_PATTERN } from '../kernel/ids.js'
import { routingErrors } from './errors.js'

/** An incoming item of its receiver and an outgoing item of its sender, as it is kept. */
export interface StoredItem {
  /** `incomingId` and `outgoingId`. */
  readonly id: string
  readonly subject: Subject
  /** IIN or BIN. */
  readonly sender: string
  /** IIN or BIN. */
  readonly receiver: string
  readonly status: ItemStatus
  readonly sentAt: number
  /** `undefined` while the receiver sees nothing of it. */
  readonly deliveredAt: number | undefined
  readonly failure: 'notCompletedInTime' | undefined
  readonly commentsCount: number
}

const TABLE = 'registry_routing_items'
const COLUMNS = [
  'id',
  'subject_kind',
  'subject_id',
  'sender',
  'receiver',
  'status',
  'sent_at',
  'delivered_at',
  'failure',
  'comments_count',
] as const

interface Row {
  id: string
  subject_kind: 'document' | 'package'
  subject_id: string
  sender: string
  receiver: string
  status: ItemStatus
  sent_at: number
  delivered_at: number | null
  failure: 'notCompletedInTime' | null
  comments_count: number
}

/** Identifier of a document or a package. */
export const subjectId = ({ documentId, packageId }: Subject): string => documentId ?? packageId

/** Keeps incoming and outgoing items. */
export class ItemStore {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  async add(item: StoredItem): Promise<void> {
    await this.#table().insert(toRow(item))
  }

  /** Rejects with `itemNotFound`. */
  async get(id: string): Promise<StoredItem> {
    return this.#one(id, (query) => query)
  }

  /** As `get`, and keeps every other transaction from changing the item until this one ends. */
  async lock(id: string): Promise<StoredItem> {
    return this.#one(id, (query) => query.forUpdate())
  }

  /** Saves a changed item; it must be locked. */
  async save(item: StoredItem): Promise<void> {
    await this.#table().where({ id: item.id }).update(toRow(item))
  }

  /** The items with these identifiers, in their order. */
  async list(ids: readonly string[]): Promise<StoredItem[]> {
    const rows: Row[] = await this.#table().whereIn('id', ids).select(COLUMNS)
    const items = new Map(rows.map((row) => [row.id, read(row)]))
    return ids.flatMap((id) => items.get(id) ?? [])
  }

  /** Locks what waits for a document or package to be complete, in the order of sending. */
  async lockWaiting(subject: Subject): Promise<StoredItem[]> {
    const query = this.#table().where({ subject_id: subjectId(subject), status: 'sending' })
    const rows: Row[] = await query.orderBy(['sent_at', 'id']).forUpdate().select(COLUMNS)
    return rows.map(read)
  }

  /** Items that have waited since a moment or longer. */
  async waitingSince(moment: number, limit: number): Promise<string[]> {
    const query = this.#table().where({ status: 'sending' }).andWhere('sent_at', '<=', moment)
    return query.orderBy('sent_at').limit(limit).pluck('id')
  }

  /** True when the receiver has an item of the sender that has neither failed nor been denied. */
  async isUnderWay(subject: Subject, sender: string, receiver: string): Promise<boolean> {
    const query = this.#table().where({ subject_id: subjectId(subject), sender, receiver })
    return (await query.whereIn('status', ['sending', 'new', 'accepted']).first('id')) !== undefined
  }

  /** True when any of these documents and packages was delivered to a person or an organization. */
  async wasDelivered(subjectIds: readonly string[], receiver: string): Promise<boolean> {
    const query = this.#table().whereIn('subject_id', subjectIds).andWhere({ receiver })
    return (await query.whereNotNull('delivered_at').first('id')) !== undefined
  }

  /** True when a document or package was sent, or sent and delivered, by anybody to anybody. */
  async wasSent(subject: Subject, delivered: boolean): Promise<boolean> {
    const query = this.#table().where({ subject_id: subjectId(subject) })
    return (await (delivered ? query.whereNotNull('delivered_at') : query).first('id')) !== undefined
  }

  /** Items of a document or package that somebody sent, or that were delivered to them; the newest `limit`. */
  async ofParty(subject: Subject, party: { sender: string } | { receiver: string }, limit: number): Promise<string[]> {
    const query = this.#table().where({ subject_id: subjectId(subject), ...party })
    const seen = 'receiver' in party ? query.whereNotNull('delivered_at') : query
    return seen
      .orderBy([{ column: 'sent_at', order: 'desc' }, 'id'])
      .limit(limit)
      .pluck('id')
  }

  async #one(id: string, how: (query: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<StoredItem> {
    const row: Row | undefined = ID_PATTERN.test(id) ? await how(this.#table().where({ id }).first(COLUMNS)) : undefined
    if (row === undefined) throw routingErrors.error('itemNotFound')
    return read(row)
  }

  #table(): Knex.QueryBuilder {
    return this.database.query(TABLE)
  }
}

const toRow = ({ subject, ...item }: StoredItem): Row => ({
  id: item.id,
  subject_kind: subject.documentId === undefined ? 'package' : 'document',
  subject_id: subjectId(subject),
  sender: item.sender,
  receiver: item.receiver,
  status: item.status,
  sent_at: item.sentAt,
  delivered_at: item.deliveredAt ?? null,
  failure: item.failure ?? null,
  comments_count: item.commentsCount,
})

const read = (row: Row): StoredItem => ({
  id: row.id,
  subject: row.subject_kind === 'document' ? { documentId: row.subject_id } : { packageId: row.subject_id },
  sender: row.sender,
  receiver: row.receiver,
  status: row.status,
  sentAt: Number(row.sent_at),
  deliveredAt: row.delivered_at === null ? undefined : Number(row.delivered_at),
  failure: row.failure ?? undefined,
  commentsCount: row.comments_count,
})
