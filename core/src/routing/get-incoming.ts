import type { Caller } from '../identity/index.js'
import { CommentStore } from './comment-store.js'
import { FindItem } from './find-item.js'
import type { IncomingItem, ItemQuery } from './schema.js'
import { ShowItems } from './show-items.js'

/** Answers an incoming item with its comments (specification, `GET /api/incoming/{incomingId}`). */
export class GetIncoming {
  static readonly inject = [FindItem, CommentStore, ShowItems] as const

  constructor(
    private readonly find: FindItem,
    private readonly comments: CommentStore,
    private readonly show: ShowItems,
  ) {}

  async execute(caller: Caller, incomingId: string, { includeDetails }: ItemQuery = {}): Promise<IncomingItem> {
    const item = await this.find.toView('incoming', caller, incomingId)
    return {
      incomingId,
      ...(await this.show.show('incoming', caller, item, includeDetails)),
      comments: await this.comments.of(incomingId),
    }
  }
}
