import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { bytes, integer, optional, places, type Stored, table, text, word } from '../database/table.js'
import type { Injected } from '../kernel/service.js'

const originalsTable = table('registry_originals', {
  key: text('object_key'),
  documentId: optional(text('document_id')),
  /** `dropped`: no longer readable and to be deleted from the store. */
  state: word('state', ['writing', 'stored', 'dropped']),
  size: integer('size'),
  /** `SegmentTags`; present once stored. */
  segments: optional(bytes('segments')),
  archivedAt: optional(integer('archived_at')),
  /** IIN or BIN whose quota it uses; while set, `size` bytes of that quota are reserved. */
  chargedTo: optional(text('charged_to')),
  /** End of temporary storage. */
  keptUntil: optional(integer('kept_until')),
  /** Whose share of temporary storage it uses; while set, `size` bytes of it are counted. */
  keptFor: optional(text('kept_for')),
  /** When all mails that attach it are sent at the latest; absent where none does. */
  spooledUntil: optional(integer('spooled_until')),
  /** End of the claim of whoever stores or archives it; absent without a claim. */
  claimedUntil: optional(integer('claimed_until')),
})

/** One stored copy of an original, and the reasons why it is kept. Times in milliseconds. */
export type KeptOriginal = Stored<typeof originalsTable>

/** A copy without its tags (16 bytes per MiB), which are only read where they are needed. */
export type OriginalState = Omit<KeptOriginal, 'segments'>
const STATE = originalsTable.columns.filter((column) => column !== 'segments').join(', ')
const FIND = `select ${originalsTable.columns.join(', ')} from registry_originals where document_id = ?`

/** Changes of a copy; `undefined` clears a field. */
type Change = Partial<Omit<KeptOriginal, 'key' | 'size'>>

/** No claim is this long: one that looks so was made by a wrong clock. */
const MAX_CLAIM_MS = 10 * 60_000

/** True while an upload is writing or archiving a copy. */
export const isClaimed = (claimedUntil: number | undefined, now: number): boolean =>
  claimedUntil !== undefined && claimedUntil > now && claimedUntil <= now + MAX_CLAIM_MS

/** Stores the records of copies in the archive store. */
export class OriginalStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof OriginalStore.inject>) {}

  /** Adds a copy and answers its random key; `undefined` where another transaction was first for this document. */
  async add(original: Omit<KeptOriginal, 'key'>): Promise<string | undefined> {
    const key = randomBytes(16).toString('hex')
    const isAdded = await insertOrLose(this.rows().insert(originalsTable.row({ key, ...original })))
    return isAdded ? key : undefined
  }

  async find(documentId: string): Promise<KeptOriginal | undefined> {
    const [row] = await this.use.database.rows(FIND, [documentId])
    return row && originalsTable.read(row)
  }

  /** As `find`, and locks the row for this transaction. */
  async lock(documentId: string): Promise<KeptOriginal | undefined> {
    const row = await this.rows()
      .where({ document_id: documentId })
      .forUpdate()
      .first(...originalsTable.columns)
    return row && originalsTable.read(row)
  }

  /** As `lock`, by its key. */
  async lockKey(key: string): Promise<KeptOriginal | undefined> {
    const row = await this.rows()
      .where({ object_key: key })
      .forUpdate()
      .first(...originalsTable.columns)
    return row && originalsTable.read(row)
  }

  /** By document identifier, for documents that have a copy. */
  async states(documentIds: readonly string[]): Promise<ReadonlyMap<string, OriginalState>> {
    const rows = await this.use.database.rows(
      `select ${STATE} from registry_originals where document_id in (${places(documentIds)})`,
      documentIds,
    )
    return new Map(
      rows.map((row) => {
        const original = originalsTable.read(row)
        return [original.documentId ?? '', original]
      }),
    )
  }

  /** Which of these documents are archived. */
  async archived(documentIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(
      await this.rows().whereIn('document_id', documentIds).whereNotNull('archived_at').pluck('document_id'),
    )
  }

  /** Changes a copy; false, without changing it, where it is not as `expected`. */
  async change(key: string, expected: Change, change: Change): Promise<boolean> {
    const where = { key, ...expected }
    return (await this.rows().where(originalsTable.row(where)).update(originalsTable.row(change))) > 0
  }

  /** Extends a claim that has not ended. */
  async renew(key: string, state: KeptOriginal['state'], claimedUntil: number): Promise<void> {
    await this.rows()
      .where(originalsTable.row({ key, state }))
      .whereNotNull('claimed_until')
      .update(originalsTable.row({ claimedUntil }))
  }

  async remove(key: string): Promise<void> {
    await this.rows()
      .where(originalsTable.row({ key, state: 'dropped' }))
      .delete()
  }

  /** Expired copies in temporary storage; like all pages here, after a key and ordered by key. */
  async ended(now: number, after: string, limit: number): Promise<KeptOriginal[]> {
    return this.select(this.rows().where({ state: 'stored' }).andWhere('kept_until', '<=', now), after, limit)
  }

  /** Copies whose claim has expired. */
  async abandoned(now: number, after: string, limit: number): Promise<KeptOriginal[]> {
    const over = this.rows().where((claim) =>
      claim.where('claimed_until', '<=', now).orWhere('claimed_until', '>', now + MAX_CLAIM_MS),
    )
    return this.select(over, after, limit)
  }

  /** Copies that are spooled for mails, whether or not they are kept for another reason too. */
  async spooled(after: string, limit: number): Promise<KeptOriginal[]> {
    return this.select(this.rows().where({ state: 'stored' }).whereNotNull('spooled_until'), after, limit)
  }

  async dropped(after: string, limit: number): Promise<KeptOriginal[]> {
    return this.select(this.rows().where({ state: 'dropped' }), after, limit)
  }

  /** All copies. */
  async page(after: string, limit: number): Promise<KeptOriginal[]> {
    return this.select(this.rows(), after, limit)
  }

  /** Which of these keys are known. */
  async known(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await this.rows().whereIn('object_key', keys).pluck('object_key'))
  }

  /** Bytes that are charged, by owner. */
  async charged(): Promise<ReadonlyMap<string, number>> {
    return this.sums('charged_to')
  }

  /** Bytes in temporary storage that are counted, by owner. */
  async counted(): Promise<ReadonlyMap<string, number>> {
    return this.sums('kept_for')
  }

  private async sums(column: 'charged_to' | 'kept_for'): Promise<ReadonlyMap<string, number>> {
    const rows: Record<string, number | string>[] = await this.rows()
      .whereNotNull(column)
      .groupBy(column)
      .select(column)
      .sum({ total: 'size' })
    return new Map(rows.map((row) => [String(row[column]), Number(row.total)]))
  }

  private async select(query: Knex.QueryBuilder, after: string, limit: number): Promise<KeptOriginal[]> {
    const rows: Record<string, unknown>[] = await query
      .andWhere('object_key', '>', after)
      .orderBy('object_key')
      .limit(limit)
      .select(...originalsTable.columns)
    return rows.map((row) => originalsTable.read(row))
  }

  private rows() {
    return this.use.database.query(originalsTable.name)
  }
}
