import Type, { type Static } from 'typebox'
import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { told } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Input, keepNothing, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { commentText } from './comments.js'
import { routingErrors } from './errors.js'
import { ItemReader } from './item-reader.js'
import { RoutingLimits } from './limits.js'
import type { Direction } from './move-items.js'
import { actorOf, assertInTime, MoveItems } from './move-items.js'
import { DECISIONS, IncomingParams, OutgoingParams } from './schema.js'

/** Request of `POST /api/incoming/{incomingId}/comment`: a decision, a comment, or both. */
export const CommentIncomingRequest = Type.Object(
  { status: Type.Optional(Type.Enum(DECISIONS)), comment: Type.Optional(Type.String()) },
  { $id: 'CommentIncomingRequest' },
)
export type CommentIncomingRequest = Static<typeof CommentIncomingRequest>

/** Adds one side's comment, or the receiver's decision, to an item; `answer` is made in the same transaction. */
export class CommentItem {
  static readonly inject = {
    reader: ItemReader,
    moves: MoveItems,
    database: Database,
    clock: Clock,
    limits: RoutingLimits,
  }

  constructor(private readonly use: Injected<typeof CommentItem.inject>) {}

  async add<A>(
    direction: Direction,
    caller: Caller,
    id: string,
    { status, comment }: CommentIncomingRequest,
    answer: () => Promise<A>,
  ): Promise<A> {
    const value = comment === undefined ? undefined : commentText(comment, this.use.limits)
    if (status === undefined && value === undefined) throw routingErrors.error('commentOrStatusRequired')
    return this.use.database.transaction(async () => {
      const item = await this.use.reader.lock(direction, caller, id)
      if (item.status !== 'new') throw routingErrors.error(status ? 'statusCanNotBeChanged' : 'commentsClosed')
      if (status === 'accepted') assertInTime(item, this.use.clock.now())
      // A sender who has used up the comments must not prevent the receiver's decision.
      if (status === undefined && item.commentsCount >= this.use.limits.commentsPerItem) {
        throw routingErrors.error('commentsLimitReached', { limit: this.use.limits.commentsPerItem })
      }
      const author = direction === 'incoming' ? item.receiver : item.sender
      const storedAt = this.use.clock.now()
      await this.use.moves.comment(item, { storedAt, author, madeBy: actorOf(caller), status, value })
      return answer()
    })
  }
}

/** Answer of `POST /api/incoming/{incomingId}/comment`. */
export const CommentedIncoming = Type.Object({ incomingId: Type.String() }, { $id: 'CommentedIncoming' })
export type CommentedIncoming = Static<typeof CommentedIncoming>

/** Accepts, denies or comments on an incoming item (specification, `POST /api/incoming/{incomingId}/comment`). */
export class CommentIncoming {
  static readonly operation = operation({
    id: 'commentIncoming',
    group: 'routing',
    at: 'POST /incoming/:incomingId/comment',
    who: told('the receiver: the person, or employees and systems with `documentsPackagesRoute`'),
    summary: 'Accept, deny or comment an incoming item',
    description: 'Its receiver accepts or denies it once, and comments it at any time before; the sender is told.',
    params: IncomingParams,
    request: CommentIncomingRequest,
    answer: CommentedIncoming,
    idempotent: true,
    refuses: [
      'accessDenied',
      'authenticationRequired',
      'commentOrStatusRequired',
      'commentsClosed',
      'commentsLimitReached',
      'deadlinePassed',
      'itemNotFound',
      'requestFieldTooLarge',
      'statusCanNotBeChanged',
    ],
  })
  static readonly inject = { comments: CommentItem }

  constructor(private readonly use: Injected<typeof CommentIncoming.inject>) {}

  async execute(
    caller: Caller,
    { incomingId, request, keep = keepNothing }: Input<typeof CommentIncoming.operation>,
  ): Promise<CommentedIncoming> {
    return this.use.comments.add('incoming', caller, incomingId, request, () => keep({ incomingId }))
  }
}

/** Request of `POST /api/outgoing/{outgoingId}/comment`. */
export const CommentOutgoingRequest = Type.Object({ comment: Type.String() }, { $id: 'CommentOutgoingRequest' })
export type CommentOutgoingRequest = Static<typeof CommentOutgoingRequest>

/** Answer of `POST /api/outgoing/{outgoingId}/comment`. */
export const CommentedOutgoing = Type.Object({ outgoingId: Type.String() }, { $id: 'CommentedOutgoing' })
export type CommentedOutgoing = Static<typeof CommentedOutgoing>

/** Comments on an outgoing item (specification, `POST /api/outgoing/{outgoingId}/comment`). */
export class CommentOutgoing {
  static readonly operation = operation({
    id: 'commentOutgoing',
    group: 'routing',
    at: 'POST /outgoing/:outgoingId/comment',
    who: told('the sender: the person, or employees and systems with `documentsPackagesRoute`'),
    summary: 'Comment an outgoing item',
    description: 'Its sender comments it until it is accepted or denied; the receiver is told.',
    params: OutgoingParams,
    request: CommentOutgoingRequest,
    answer: CommentedOutgoing,
    idempotent: true,
    refuses: [
      'accessDenied',
      'authenticationRequired',
      'commentOrStatusRequired',
      'commentsClosed',
      'commentsLimitReached',
      'itemNotFound',
      'requestFieldTooLarge',
    ],
  })
  static readonly inject = { comments: CommentItem }

  constructor(private readonly use: Injected<typeof CommentOutgoing.inject>) {}

  async execute(
    caller: Caller,
    { outgoingId, request: { comment }, keep = keepNothing }: Input<typeof CommentOutgoing.operation>,
  ): Promise<CommentedOutgoing> {
    return this.use.comments.add('outgoing', caller, outgoingId, { comment }, () => keep({ outgoingId }))
  }
}
