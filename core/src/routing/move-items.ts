import type { Happening } from '../events/index.js'
import { Outbox } from '../events/index.js'
import { Clock } from '../kernel/clock.js'
import { CommentStore, type NewComment } from './comment-store.js'
import { ItemLists } from './item-lists.js'
import { ItemStore, type StoredItem } from './item-store.js'

type Change = Extract<Happening, { itemId: string }>['type']

/** Every move of an item, each with its place in lists and its event. All runs in the caller's transaction. */
export class MoveItems {
  static readonly inject = [ItemStore, CommentStore, ItemLists, Outbox, Clock] as const

  constructor(
    private readonly items: ItemStore,
    private readonly comments: CommentStore,
    private readonly lists: ItemLists,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Keeps a new item, with its first comment if there is one. */
  async send(item: StoredItem, comment: NewComment | undefined): Promise<void> {
    await this.items.add(item)
    if (comment) await this.comments.add(item.id, comment)
    await this.#follow('itemSent', undefined, item, item.sender)
  }

  /** Lets the receiver see an item that waits; it must be locked. */
  async deliver(item: StoredItem): Promise<void> {
    await this.#change('itemDelivered', item, { ...item, status: 'new', deliveredAt: this.clock.now() })
  }

  /** Gives up an item that waits; it must be locked. */
  async fail(item: StoredItem): Promise<void> {
    await this.#change('itemFailed', item, { ...item, status: 'failed', failure: 'notCompletedInTime' })
  }

  /** Keeps a comment under an item, and the status that it decides; the item must be locked. */
  async comment(item: StoredItem, comment: NewComment): Promise<void> {
    await this.comments.add(item.id, comment)
    const { status = item.status, author } = comment
    const change = comment.status === undefined ? 'itemCommented' : 'itemDecided'
    await this.#change(change, item, { ...item, status, commentsCount: item.commentsCount + 1 }, author)
  }

  async #change(change: Change, before: StoredItem, after: StoredItem, author?: string): Promise<void> {
    await this.items.save(after)
    await this.#follow(change, before, after, author)
  }

  async #follow(type: Change, before: StoredItem | undefined, after: StoredItem, author?: string): Promise<void> {
    await this.lists.move(before, after)
    const { id: itemId, subject, status, commentsCount, sender, receiver } = after
    await this.outbox.add({ type, itemId, subject, status, commentsCount, sender, receiver, author })
  }
}
