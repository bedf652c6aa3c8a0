import Type, { type Static } from 'typebox'
import { Database } from '../database/database.js'
import { type Caller, told } from '../identity/index.js'
import { type Input, keepNothing, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, payerOf } from '../notifications/index.js'
import { commentText } from './comments.js'
import { routingErrors } from './errors.js'
import { ItemReader } from './item-reader.js'
import { ItemStore } from './item-store.js'
import { RoutingLimits } from './limits.js'
import { actorOf, MoveItems } from './move-items.js'
import { OutgoingParams } from './schema.js'

/** Request of `POST /api/outgoing/{outgoingId}/recall`. */
export const RecallOutgoingRequest = Type.Object(
  { comment: Type.Optional(Type.String({ description: 'why, for the receiver' })) },
  { $id: 'RecallOutgoingRequest' },
)
export type RecallOutgoingRequest = Static<typeof RecallOutgoingRequest>

/** Answer of `POST /api/outgoing/{outgoingId}/recall`. */
export const RecalledOutgoing = Type.Object({ outgoingId: Type.String() }, { $id: 'RecalledOutgoing' })
export type RecalledOutgoing = Static<typeof RecalledOutgoing>

/** Takes an item back before it is accepted or denied; ours. */
export class RecallOutgoing {
  static readonly operation = operation({
    id: 'recallOutgoing',
    group: 'routing',
    at: 'POST /outgoing/:outgoingId/recall',
    who: told('the sender: the person, or employees and systems with `documentsPackagesRoute`'),
    summary: 'Recall an outgoing item before it is decided',
    description:
      'Its status becomes `failed`, with `recalled: true` beside it. The receiver sees that it was recalled, and loses the access that this item gave.',
    params: OutgoingParams,
    request: RecallOutgoingRequest,
    answer: RecalledOutgoing,
    idempotent: true,
    refuses: [
      'accessDenied',
      'authenticationRequired',
      'canNotBeRecalled',
      'itemNotFound',
      'mailLimitReached',
      'requestFieldTooLarge',
    ],
  })
  static readonly inject = {
    reader: ItemReader,
    moves: MoveItems,
    items: ItemStore,
    budget: MailBudget,
    database: Database,
    limits: RoutingLimits,
  }

  constructor(private readonly use: Injected<typeof RecallOutgoing.inject>) {}

  async execute(
    caller: Caller,
    { outgoingId, request: { comment }, keep = keepNothing }: Input<typeof RecallOutgoing.operation>,
  ): Promise<RecalledOutgoing> {
    const value = comment === undefined ? undefined : commentText(comment, this.use.limits)
    return this.use.database.transaction(async () => {
      const item = await this.use.reader.lock('outgoing', caller, outgoingId)
      if (item.status !== 'new' && item.status !== 'sending') {
        throw routingErrors.error('canNotBeRecalled', { status: item.status })
      }
      // Of what was delivered the receiver gets a mail, and another when it is sent again: without limits any number.
      const isDelivered = item.status === 'new'
      const { recalls: limit } = this.use.limits
      if (isDelivered && (await this.use.items.recalls(item)) >= limit) {
        throw routingErrors.error('canNotBeRecalled', { limit })
      }
      await this.use.moves.recall(item, actorOf(caller), value)
      if (isDelivered) await this.use.budget.takeCount(payerOf(caller), 1)
      return keep({ outgoingId })
    })
  }
}
