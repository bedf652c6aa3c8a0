import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { Limits } from '../kernel/limits.js'
import { commentText } from './comment-text.js'
import { routingErrors } from './errors.js'
import { FindItem } from './find-item.js'
import { madeBy } from './made-by.js'
import { MoveItems } from './move-items.js'
import type { CommentedOutgoing, CommentOutgoingRequest } from './schema.js'

/** Comments an outgoing item (specification, `POST /api/outgoing/{outgoingId}/comment`). */
export class CommentOutgoing {
  static readonly inject = [FindItem, MoveItems, Database, Clock, Limits] as const

  constructor(
    private readonly find: FindItem,
    private readonly moves: MoveItems,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {}

  async execute(caller: Caller, outgoingId: string, { comment }: CommentOutgoingRequest): Promise<CommentedOutgoing> {
    const value = commentText(comment, this.limits)
    if (value === undefined) throw routingErrors.error('commentOrStatusRequired')
    await this.database.transaction(async () => {
      const item = await this.find.toComment('outgoing', caller, outgoingId)
      if (item.status !== 'new') throw routingErrors.error('commentsClosed')
      if (item.commentsCount >= this.limits.commentsPerItem) {
        throw routingErrors.error('commentsLimitReached', { limit: this.limits.commentsPerItem })
      }
      const storedAt = this.clock.now()
      await this.moves.comment(item, { storedAt, author: item.sender, madeBy: madeBy(caller), value })
    })
    return { outgoingId }
  }
}
