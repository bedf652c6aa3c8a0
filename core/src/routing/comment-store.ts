import { Database } from '../database/database.js'
import type { ItemComment } from './schema.js'

/** A comment, and who exactly wrote it: an IIN, or the SHA-256 of a system's certificate. */
export interface NewComment {
  readonly storedAt: number
  /** IIN or BIN. */
  readonly author: string
  readonly madeBy: string
  readonly status?: 'denied' | 'accepted' | undefined
  readonly value?: string | undefined
}

interface Row {
  stored_at: number
  author: string
  status: 'denied' | 'accepted' | null
  value: string | null
}

const TABLE = 'registry_routing_comments'

/** Keeps comments under items. */
export class CommentStore {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  /** Adds a comment; the item must be locked. */
  async add(itemId: string, { storedAt, author, madeBy, status, value }: NewComment): Promise<void> {
    const row: Row = { stored_at: storedAt, author, status: status ?? null, value: value ?? null }
    await this.database.query(TABLE).insert({ item_id: itemId, made_by: madeBy, ...row })
  }

  /** All comments of an item, oldest first; the limit of comments keeps them few. */
  async of(itemId: string): Promise<ItemComment[]> {
    const query = this.database.query(TABLE).where({ item_id: itemId }).orderBy('id')
    const rows: Row[] = await query.select('stored_at', 'author', 'status', 'value')
    return rows.map(({ stored_at, author, status, value }) => ({
      storedAt: Number(stored_at),
      author,
      ...(status !== null && { status }),
      ...(value !== null && { value }),
    }))
  }
}
