import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { Limits } from '../kernel/limits.js'
import { commentText } from './comment-text.js'
import { routingErrors } from './errors.js'
import { FindItem } from './find-item.js'
import { madeBy } from './made-by.js'
import { MoveItems } from './move-items.js'
import type { CommentedIncoming, CommentIncomingRequest } from './schema.js'

/** Accepts, denies or comments an incoming item (specification, `POST /api/incoming/{incomingId}/comment`). */
export class CommentIncoming {
  static readonly inject = [FindItem, MoveItems, Database, Clock, Limits] as const

  constructor(
    private readonly find: FindItem,
    private readonly moves: MoveItems,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {}

  async execute(
    caller: Caller,
    incomingId: string,
    { status, comment }: CommentIncomingRequest,
  ): Promise<CommentedIncoming> {
    const value = commentText(comment, this.limits)
    if (status === undefined && value === undefined) throw routingErrors.error('commentOrStatusRequired')
    await this.database.transaction(async () => {
      const item = await this.find.toComment('incoming', caller, incomingId)
      if (item.status !== 'new') throw routingErrors.error(status ? 'statusCanNotBeChanged' : 'commentsClosed')
      // A sender who has used up all comments must not keep the receiver from deciding.
      if (status === undefined && item.commentsCount >= this.limits.commentsPerItem) {
        throw routingErrors.error('commentsLimitReached', { limit: this.limits.commentsPerItem })
      }
      const said = { author: item.receiver, madeBy: madeBy(caller), status, value }
      await this.moves.comment(item, { storedAt: this.clock.now(), ...said })
    })
    return { incomingId }
  }
}
