import type { Caller } from '../identity/index.js'
import { CommentStore } from './comment-store.js'
import { FindItem } from './find-item.js'
import type { StoredItem } from './item-store.js'
import type { ItemQuery, OutgoingItem } from './schema.js'
import { ShowItems, type ShownItem } from './show-items.js'

/** Answers an outgoing item with its comments (specification, `GET /api/outgoing/{outgoingId}`). */
export class GetOutgoing {
  static readonly inject = [FindItem, CommentStore, ShowItems] as const

  constructor(
    private readonly find: FindItem,
    private readonly comments: CommentStore,
    private readonly show: ShowItems,
  ) {}

  async execute(caller: Caller, outgoingId: string, { includeDetails }: ItemQuery = {}): Promise<OutgoingItem> {
    const item = await this.find.toView('outgoing', caller, outgoingId)
    const shown = await this.show.show('outgoing', caller, item, includeDetails)
    return { ...outgoingItem(item, shown), comments: await this.comments.of(outgoingId) }
  }
}

/** An outgoing item as answers show it. */
export const outgoingItem = ({ id, failure }: StoredItem, shown: ShownItem): OutgoingItem => ({
  outgoingId: id,
  ...shown,
  ...(failure && { failure }),
})
