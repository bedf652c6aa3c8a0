import type { PreparedSending, Send, Sending } from '../documents/index.js'
import type { Subject } from '../events/index.js'
import { type Caller, organizationOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import { Subscriptions } from '../organizations/index.js'
import { actorOf, commentText } from './comments.js'
import { routingErrors } from './errors.js'
import { ItemStore, type StoredItem } from './item-store.js'
import { RoutingLimits } from './limits.js'
import { MoveItems } from './move-items.js'
import { Parties } from './parties.js'

const RECEIVER = /^(IIN|BIN)\d{12}$/

/** Sends documents and packages. */
export class SendItems implements Sending {
  static readonly inject = {
    items: ItemStore,
    moves: MoveItems,
    parties: Parties,
    features: Subscriptions,
    clock: Clock,
    limits: RoutingLimits,
  }

  constructor(private readonly use: Injected<typeof SendItems.inject>) {}

  async prepare(caller: Caller, { to: receiver, comment }: Send): Promise<PreparedSending> {
    const sender = await this.use.parties.assert(caller, 'documentsPackagesRoute')
    await this.use.features.assertEnabled(organizationOf(caller), 'documentsRouting')
    if (!RECEIVER.test(receiver)) throw routingErrors.error('invalidReceiver')
    if (receiver === sender) throw routingErrors.error('invalidReceiver', { reason: 'sender' })
    return { sender, receiver, comment: commentText(comment, this.use.limits), madeBy: actorOf(caller) }
  }

  async send(prepared: PreparedSending, subject: Subject, complete: boolean): Promise<string> {
    const { sender, receiver, comment, madeBy } = prepared
    if (await this.use.items.isUnderWay(subject, sender, receiver)) throw routingErrors.error('alreadySent')
    const sentAt = this.use.clock.now()
    const item: StoredItem = {
      id: newId(),
      subject,
      sender,
      receiver,
      status: 'sending',
      sentAt,
      deliveredAt: undefined,
      failure: undefined,
      commentsCount: comment === undefined ? 0 : 1,
    }
    if (!complete && (await this.use.items.lockWaiting(subject)).length >= this.use.limits.waitingItems) {
      throw routingErrors.error('tooManyWaitingItems', { limit: this.use.limits.waitingItems })
    }
    await this.use.moves.send(
      item,
      comment === undefined ? undefined : { storedAt: sentAt, author: sender, madeBy, value: comment },
    )
    if (complete) await this.use.moves.deliver(item)
    return item.id
  }
}
