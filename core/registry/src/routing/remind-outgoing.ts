import Type, { type Static } from 'typebox'
import { Database } from '../database/database.js'
import { type Caller, told } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Input, keepNothing, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, payerOf } from '../notifications/index.js'
import { routingErrors } from './errors.js'
import { ItemReader } from './item-reader.js'
import type { StoredItem } from './item-store.js'
import { RoutingLimits } from './limits.js'
import { assertInTime, MoveItems } from './move-items.js'
import { OutgoingParams } from './schema.js'

/** Answer of `POST /api/outgoing/{outgoingId}/remind`. */
export const RemindedOutgoing = Type.Object(
  { outgoingId: Type.String(), remindersLeft: Type.Integer() },
  { $id: 'RemindedOutgoing' },
)
export type RemindedOutgoing = Static<typeof RemindedOutgoing>

const SECOND_MS = 1000

/** Reminds the receiver of an item that is not decided yet; ours. */
export class RemindOutgoing {
  static readonly operation = operation({
    id: 'remindOutgoing',
    group: 'routing',
    at: 'POST /outgoing/:outgoingId/remind',
    who: told('the sender: the person, or employees and systems with `documentsPackagesRoute`'),
    summary: 'Remind the receiver of an outgoing item',
    description:
      'Three times at most, the first an hour after its delivery, while it is neither accepted nor denied. Counts as one of the mails of the caller.',
    params: OutgoingParams,
    request: Type.Object({}),
    answer: RemindedOutgoing,
    idempotent: true,
    refuses: [
      'accessDenied',
      'authenticationRequired',
      'deadlinePassed',
      'itemNotFound',
      'mailLimitReached',
      'remindedTooSoon',
      'reminderNotPossible',
      'remindersLimitReached',
    ],
  })
  static readonly inject = {
    reader: ItemReader,
    moves: MoveItems,
    budget: MailBudget,
    database: Database,
    clock: Clock,
    limits: RoutingLimits,
  }

  constructor(private readonly use: Injected<typeof RemindOutgoing.inject>) {}

  async execute(
    caller: Caller,
    { outgoingId, keep = keepNothing }: Input<typeof RemindOutgoing.operation>,
  ): Promise<RemindedOutgoing> {
    return this.use.database.transaction(async () => {
      const item = await this.use.reader.lock('outgoing', caller, outgoingId)
      this.assertMayRemind(item)
      await this.use.moves.remind(item)
      await this.use.budget.takeCount(payerOf(caller), 1)
      return keep({ outgoingId, remindersLeft: this.use.limits.remindersPerItem - item.reminders - 1 })
    })
  }

  private assertMayRemind(item: StoredItem): void {
    const { status, reminders, remindedAt, deliveredAt = 0 } = item
    const { remindersPerItem: limit, reminderMs } = this.use.limits
    if (status !== 'new') throw routingErrors.error('reminderNotPossible', { status })
    const now = this.use.clock.now()
    assertInTime(item, now)
    if (reminders >= limit) throw routingErrors.error('remindersLimitReached', { limit })
    const wait = (remindedAt ?? deliveredAt) + reminderMs - now
    if (wait > 0) throw routingErrors.error('remindedTooSoon', { retryAfter: Math.ceil(wait / SECOND_MS) })
  }
}
