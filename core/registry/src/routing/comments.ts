import { Database } from '../database/database.js'
import { everyRow } from '../database/every-row.js'
import { integer, optional, table, text, word } from '../database/table.js'
import { checkLength } from '../kernel/field-length.js'
import type { Injected } from '../kernel/service.js'
import type { StoredFact } from '../log/index.js'
import type { Decision } from './item-facts.js'
import type { RoutingLimits } from './limits.js'
import { DECISIONS, type ItemComment } from './schema.js'

/** A comment and its exact author. */
export interface NewComment {
  readonly storedAt: number
  /** IIN or BIN. */
  readonly author: string
  /** `actorOf` the caller. */
  readonly madeBy: string
  readonly status?: 'denied' | 'accepted' | undefined
  readonly value?: string | undefined
}

const comments = table('registry_routing_comments', {
  itemId: text('item_id'),
  storedAt: integer('stored_at'),
  author: text('author'),
  madeBy: text('made_by'),
  status: optional(word('status', DECISIONS)),
  value: optional(text('value')),
})

const shown = ({ storedAt, author, status, value }: Omit<NewComment, 'madeBy'>): ItemComment => ({
  storedAt,
  author,
  ...(status !== undefined && { status }),
  ...(value !== undefined && { value }),
})

/** Stores comments on items. */
export class CommentStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof CommentStore.inject>) {}

  /** Adds a comment; the item must be locked. */
  async add(itemId: string, comment: NewComment): Promise<void> {
    await this.use.database.query(comments.name).insert(comments.row({ itemId, ...comment }))
  }

  /** All comments on an item, oldest first; a limit keeps them few. */
  async of(itemId: string): Promise<ItemComment[]> {
    const rows = await this.use.database
      .query(comments.name)
      .where({ item_id: itemId })
      .orderBy('id')
      .select(comments.columns)
    return rows.map((row) => shown(comments.read(row)))
  }

  /** The newest `limit` comments on these items, oldest first, each with its item. */
  async newestOf(itemIds: readonly string[], limit: number): Promise<(ItemComment & { readonly itemId: string })[]> {
    if (itemIds.length === 0) return []
    const rows = await this.use.database
      .query(comments.name)
      .whereIn('item_id', itemIds)
      .orderBy('id', 'desc')
      .limit(limit)
      .select(comments.columns)
    return rows.reverse().map((row) => {
      const stored = comments.read(row)
      return { itemId: stored.itemId, ...shown(stored) }
    })
  }

  /** The comment of this number on an item, from 1, with its exact author. */
  async nth(itemId: string, number: number): Promise<NewComment | undefined> {
    const query = this.use.database.query(comments.name).where({ item_id: itemId }).orderBy('id')
    const row = await query.offset(number - 1).first(comments.columns)
    return row && comments.read(row)
  }

  /** What was decided about these items; without those that are not decided. */
  async decisions(itemIds: readonly string[]): Promise<Decision[]> {
    const rows = await this.use.database
      .query(comments.name)
      .whereIn('item_id', itemIds)
      .whereNotNull('status')
      .select(comments.columns)
    return rows.map(comments.read, comments).flatMap(({ status, ...one }) => (status ? [{ ...one, status }] : []))
  }

  /** All decided items, as facts that have to be logged. */
  async *stored(): AsyncGenerator<readonly StoredFact[]> {
    const select = (behind: string) =>
      `select item_id, max(stored_at) as stored_at from registry_routing_comments
        where ${behind} and status is not null group by item_id`
    for await (const rows of everyRow(this.use.database, ['item_id'], select))
      yield rows.map((row) => comments.read(row)).map(({ itemId, storedAt }) => ({ ref: itemId, at: storedAt }))
  }
}

/** The text of a comment; `undefined` for a blank one. Refuses one that is too long. */
export function commentText(comment: string, limits: RoutingLimits): string | undefined {
  checkLength('comment', comment, limits.comment)
  return comment.trim() === '' ? undefined : comment
}
