import type { Knex } from 'knex'
import { Database } from '../database/database.js'
import { everyRow } from '../database/every-row.js'
import { flag, integer, optional, table, text, word } from '../database/table.js'
import type { ItemIds, RoutedItems } from '../documents/index.js'
import { ITEM_STATUSES, type ItemStatus, type Subject } from '../events/index.js'
import { type Caller, OrganizationRights } from '../identity/index.js'
import { ID_PATTERN } from '../kernel/ids.js'
import { Limits } from '../kernel/limits.js'
import type { Injected } from '../kernel/service.js'
import { LogEntries, type StoredFact } from '../log/index.js'
import { routingErrors } from './errors.js'

/** The stored form of an item: incoming for its receiver, outgoing for its sender. */
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
  /** `undefined` until the receiver can see it. */
  readonly deliveredAt: number | undefined
  readonly failure: (typeof FAILURES)[number] | undefined
  readonly commentsCount: number
  /** IIN of the person, or SHA-256 of the certificate of the system, that sent it; not known of early items. */
  readonly madeBy: string | undefined
  /** A signature is wanted, not only acceptance. */
  readonly toSign: boolean
  /** When it can no longer be accepted. */
  readonly deadline: number | undefined
  /** When the receiver first read it. */
  readonly openedAt: number | undefined
  /** How often the sender reminded the receiver, and when last. */
  readonly reminders: number
  readonly remindedAt: number | undefined
  /** When it failed or was recalled; not known of those that failed early. */
  readonly failedAt: number | undefined
  /** Who took it back: as `madeBy`. */
  readonly recalledBy: string | undefined
}

export const FAILURES = ['notCompletedInTime', 'recalled'] as const
const items = table('registry_routing_items', {
  id: text('id'),
  subjectKind: word('subject_kind', ['document', 'package']),
  subjectId: text('subject_id'),
  sender: text('sender'),
  receiver: text('receiver'),
  status: word('status', ITEM_STATUSES),
  sentAt: integer('sent_at'),
  deliveredAt: optional(integer('delivered_at')),
  failure: optional(word('failure', FAILURES)),
  commentsCount: integer('comments_count'),
  madeBy: optional(text('made_by')),
  toSign: flag('to_sign'),
  deadline: optional(integer('deadline')),
  openedAt: optional(integer('opened_at')),
  reminders: integer('reminders'),
  remindedAt: optional(integer('reminded_at')),
  failedAt: optional(integer('failed_at')),
  recalledBy: optional(text('recalled_by')),
})

type Row = Readonly<Record<string, unknown>>

/** Entries about documents and packages are forgotten when these are deleted, which is with their rows; the items stay. */
const NOT_FORGOTTEN = `case subject_kind when 'document' then subject_id in (select id from registry_documents)
  else subject_id in (select id from registry_packages) end`

/** Identifier of a document or a package. */
const subjectId = ({ documentId, packageId }: Subject): string => documentId ?? packageId

/** Stores incoming and outgoing items. */
export class ItemStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof ItemStore.inject>) {}

  async add(item: StoredItem): Promise<void> {
    await this.table().insert(toRow(item))
  }

  /** Rejects with `itemNotFound`. */
  async get(id: string): Promise<StoredItem> {
    return this.one(id, (query) => query)
  }

  /** As `get`, and locks the item for this transaction. */
  async lock(id: string): Promise<StoredItem> {
    return this.one(id, (query) => query.forUpdate())
  }

  /** Saves a changed item; it must be locked. */
  async save(item: StoredItem): Promise<void> {
    await this.table().where({ id: item.id }).update(toRow(item))
  }

  /** Notes that its receiver read it at a moment; false where that is known. */
  async open(id: string, at: number): Promise<boolean> {
    const unread = this.table().where({ id }).whereNull('opened_at')
    return (await unread.update(items.row({ openedAt: at }))) > 0
  }

  /** The items with these identifiers, in their order. */
  async list(ids: readonly string[]): Promise<StoredItem[]> {
    const rows: Row[] = await this.use.database.read((query) =>
      query(items.name).whereIn('id', ids).select(items.columns),
    )
    const found = new Map(rows.map(read).map((item) => [item.id, item]))
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  /** Locks the items that wait for a document or package to be complete, in the order of sending. */
  async lockWaiting(subject: Subject): Promise<StoredItem[]> {
    const query = this.table().where({ subject_id: subjectId(subject), status: 'sending' })
    const rows: Row[] = await query.orderBy(['sent_at', 'id']).forUpdate().select(items.columns)
    return rows.map(read)
  }

  /** Items that have waited at least since a moment. */
  async waitingSince(moment: number, limit: number): Promise<string[]> {
    const query = this.table().where({ status: 'sending' }).andWhere('sent_at', '<=', moment)
    return query.orderBy('sent_at').limit(limit).pluck('id')
  }

  /** True when an undecided item from the sender to the receiver exists, delivered or waiting. */
  async isUnderWay(subject: Subject, sender: string, receiver: string): Promise<boolean> {
    const query = this.table().where({ subject_id: subjectId(subject), sender, receiver })
    return (await query.whereIn('status', ['sending', 'new']).first('id')) !== undefined
  }

  /** How often this sender recalled what an item brings from its receiver, after it was delivered. */
  async recalls({ subject, sender, receiver }: StoredItem): Promise<number> {
    const same = { subject_id: subjectId(subject), ...items.row({ sender, receiver, failure: 'recalled' }) }
    const [counted] = await this.table().where(same).whereNotNull('delivered_at').count({ total: '*' })
    return Number(counted?.total)
  }

  /** True when any of these documents and packages was delivered to a person or an organization, and not recalled. */
  async wasDelivered(subjectIds: readonly string[], receiver: string): Promise<boolean> {
    const query = this.table().whereIn('subject_id', subjectIds).andWhere({ receiver })
    return (await open(query).first('id')) !== undefined
  }

  /** Those of these documents and packages that are open to a person or an organization by a delivery. */
  async openAmong(subjectIds: readonly string[], receiver: string): Promise<ReadonlySet<string>> {
    const query = this.table().whereIn('subject_id', subjectIds).andWhere({ receiver })
    const ids: string[] = await open(query).distinct().pluck('subject_id')
    return new Set(ids)
  }

  /** True when anybody has sent a document or package; with `delivered` only if it was delivered. */
  async wasSent(subject: Subject, delivered: boolean): Promise<boolean> {
    const sent = 'select id from registry_routing_items where subject_id = ?'
    const sql = `${sent} ${delivered ? 'and delivered_at is not null' : ''} limit 1`
    return (await this.use.database.rows(sql, [subjectId(subject)])).length > 0
  }

  /** Delivered items of a document or package that somebody sent or received; the newest `limit`. */
  async delivered(
    subject: Subject,
    party: { sender: string } | { receiver: string },
    limit: number,
  ): Promise<string[]> {
    return this.table()
      .where({ subject_id: subjectId(subject), ...party })
      .whereNotNull('delivered_at')
      .orderBy([{ column: 'sent_at', order: 'desc' }, 'id'])
      .limit(limit)
      .pluck('id')
  }

  /** Items of a document or package, the newest `limit`: those of a party on one side, or all that were delivered. */
  async newest(
    subject: Subject,
    side: 'sender' | 'receiver' | 'any',
    party: string,
    limit: number,
  ): Promise<StoredItem[]> {
    const ofParty = side === 'any' ? '' : `and ${side} = ?`
    const sql = `select ${items.columns.join(', ')} from registry_routing_items
      where subject_id = ? ${ofParty} ${side === 'sender' ? '' : 'and delivered_at is not null'}
      order by sent_at desc, id limit ${Math.trunc(limit)}`
    return (await this.use.database.rows(sql, [subjectId(subject), ...(side === 'any' ? [] : [party])])).map(read)
  }

  /** The newest delivered item that a party has not decided yet. */
  async undecided(subject: Subject, receiver: string): Promise<StoredItem | undefined> {
    const query = this.table().where({ subject_id: subjectId(subject), receiver, status: 'new' })
    const row: Row | undefined = await query.orderBy('sent_at', 'desc').first(items.columns)
    return row && read(row)
  }

  /** True when a party waits for somebody's decision, or for the delivery. */
  async awaitsDecision(subject: Subject, sender: string): Promise<boolean> {
    const query = this.table().where({ subject_id: subjectId(subject), sender })
    return (await query.whereIn('status', ['sending', 'new']).first('id')) !== undefined
  }

  /** Delivered items of these documents and packages, the next `limit` after an identifier, in the order of identifiers. */
  async deliveredOf(subjectIds: readonly string[], after: string, limit: number): Promise<string[]> {
    const query = this.table().whereIn('subject_id', subjectIds).whereNotNull('delivered_at')
    return query.andWhere('id', '>', after).orderBy('id').limit(limit).pluck('id')
  }

  /** All delivered items, as facts that have to be logged. */
  async *stored(): AsyncGenerator<readonly StoredFact[]> {
    const select = (behind: string) =>
      `select id, delivered_at from registry_routing_items
        where ${behind} and delivered_at is not null and ${NOT_FORGOTTEN}`
    for await (const rows of everyRow(this.use.database, ['id'], select))
      yield rows.map((row) => items.read(row)).map(({ id, deliveredAt = 0 }) => ({ ref: id, at: deliveredAt }))
  }

  /** All recalls of what was delivered, as facts that have to be logged. */
  async *storedRecalls(): AsyncGenerator<readonly StoredFact[]> {
    const select = (behind: string) =>
      `select id, failed_at from registry_routing_items
        where ${behind} and failure = 'recalled' and delivered_at is not null`
    for await (const rows of everyRow(this.use.database, ['id'], select))
      yield rows.map((row) => items.read(row)).map(({ id, failedAt = 0 }) => ({ ref: id, at: failedAt }))
  }

  private async one(id: string, how: (query: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<StoredItem> {
    const row: Row | undefined = ID_PATTERN.test(id)
      ? await how(this.table().where({ id }).first(items.columns))
      : undefined
    if (row === undefined) throw routingErrors.error('itemNotFound')
    return read(row)
  }

  private table(): Knex.QueryBuilder {
    return this.use.database.query(items.name)
  }
}

/** Items that give their receivers access: of those delivered none fails but by a recall. */
const open = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
  query.whereNotNull('delivered_at').whereNot({ status: 'failed' })

const toRow = ({ subject, ...item }: StoredItem) =>
  items.row({
    ...item,
    subjectKind: subject.documentId === undefined ? 'package' : 'document',
    subjectId: subjectId(subject),
  })

function read(row: Row): StoredItem {
  const { subjectKind, subjectId: id, ...item } = items.read(row)
  return { ...item, subject: subjectKind === 'document' ? { documentId: id } : { packageId: id } }
}

const FORGOTTEN_AT_ONCE = 500

/** Finds the items by which documents and packages were sent, for other areas. */
export class FindRoutedItems implements RoutedItems {
  static readonly inject = { items: ItemStore, rights: OrganizationRights, limits: Limits, log: LogEntries }

  constructor(private readonly use: Injected<typeof FindRoutedItems.inject>) {}

  async wasDelivered(receiver: string, ...subjectIds: readonly string[]): Promise<boolean> {
    return this.use.items.wasDelivered(subjectIds, receiver)
  }

  async idsFor(caller: Caller, subject: Subject): Promise<ItemIds> {
    if (!(await this.use.items.wasSent(subject, false))) return {}
    const party = await this.use.rights.findParty(caller, 'routedDocumentsPackagesView')
    const of = async (side: 'sender' | 'receiver') => {
      if (party === undefined) return []
      const by = side === 'sender' ? { sender: party } : { receiver: party }
      return this.use.items.delivered(subject, by, this.use.limits.itemsPerPage)
    }
    const incomingIds = await of('receiver')
    if (!(await this.use.items.wasSent(subject, true))) return { incomingIds }
    return { incomingIds, outgoingIds: await of('sender') }
  }

  async forgetEntries(subjectIds: readonly string[], reason: string): Promise<void> {
    for (let after = ''; ; ) {
      const ids = await this.use.items.deliveredOf(subjectIds, after, FORGOTTEN_AT_ONCE)
      await this.use.log.forget('delivery', ids, reason)
      if (ids.length < FORGOTTEN_AT_ONCE) return
      after = ids.at(-1) ?? after
    }
  }
}
