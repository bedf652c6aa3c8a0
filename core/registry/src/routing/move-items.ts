import { DigestOpenings } from '../documents/index.js'
import { EventPublisher, type NewEvent } from '../events/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { CommentStore, type NewComment } from './comments.js'
import { ItemLists } from './item-lists.js'
import { ItemStore, type StoredItem } from './item-store.js'

type Change = Extract<NewEvent, { itemId: string }>['type']

/** Every move of an item, each with its place in lists and its event. All runs in the caller's transaction. */
export class MoveItems {
  static readonly inject = {
    items: ItemStore,
    comments: CommentStore,
    lists: ItemLists,
    events: EventPublisher,
    openings: DigestOpenings,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof MoveItems.inject>) {}

  /** Keeps a new item, with its first comment if there is one. */
  async send(item: StoredItem, comment: NewComment | undefined): Promise<void> {
    await this.use.items.add(item)
    if (comment) await this.use.comments.add(item.id, comment)
    await this.follow('itemSent', undefined, item, item.sender)
  }

  /** Lets the receiver see an item that waits; it must be locked. */
  async deliver(item: StoredItem): Promise<void> {
    await this.use.openings.deliver(item.subject, item.receiver)
    await this.change('itemDelivered', item, { ...item, status: 'new', deliveredAt: this.use.clock.now() })
  }

  /** Gives up an item that waits; it must be locked. */
  async fail(item: StoredItem): Promise<void> {
    await this.change('itemFailed', item, { ...item, status: 'failed', failure: 'notCompletedInTime' })
  }

  /** Keeps a comment under an item, and the status that it decides; the item must be locked. */
  async comment(item: StoredItem, comment: NewComment): Promise<void> {
    await this.use.comments.add(item.id, comment)
    const { status = item.status, author } = comment
    const change = comment.status === undefined ? 'itemCommented' : 'itemDecided'
    await this.change(change, item, { ...item, status, commentsCount: item.commentsCount + 1 }, author)
  }

  private async change(change: Change, before: StoredItem, after: StoredItem, author?: string): Promise<void> {
    await this.use.items.save(after)
    await this.follow(change, before, after, author)
  }

  private async follow(
    type: Change,
    before: StoredItem | undefined,
    after: StoredItem,
    author?: string,
  ): Promise<void> {
    await this.use.lists.move(before, after)
    const { id: itemId, subject, status, commentsCount, sender, receiver } = after
    await this.use.events.publish({ type, itemId, subject, status, commentsCount, sender, receiver, author })
  }
}
