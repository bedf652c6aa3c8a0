import type { PreparedSending, Send, Sending } from '../documents/index.js'
import type { Subject } from '../events/index.js'
import { type Caller, organizationOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import { Limits } from '../kernel/limits.js'
import { Features } from '../organizations/index.js'
import { commentText } from './comment-text.js'
import { routingErrors } from './errors.js'
import { ItemStore, type StoredItem } from './item-store.js'
import { madeBy } from './made-by.js'
import { MoveItems } from './move-items.js'
import { Parties } from './parties.js'

const RECEIVER = /^(IIN|BIN)\d{12}$/

/** Sends documents and packages. */
export class SendItems implements Sending {
  static readonly inject = [ItemStore, MoveItems, Parties, Features, Clock, Limits] as const

  constructor(
    private readonly items: ItemStore,
    private readonly moves: MoveItems,
    private readonly parties: Parties,
    private readonly features: Features,
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {}

  async prepare(caller: Caller, { to: receiver, comment }: Send): Promise<PreparedSending> {
    const sender = await this.parties.assert(caller, 'documentsPackagesRoute')
    await this.features.assertEnabled(organizationOf(caller), 'documentsRouting')
    if (!RECEIVER.test(receiver)) throw routingErrors.error('invalidReceiver')
    if (receiver === sender) throw routingErrors.error('invalidReceiver', { reason: 'sender' })
    return { sender, receiver, comment: commentText(comment, this.limits), madeBy: madeBy(caller) }
  }

  async send(prepared: PreparedSending, subject: Subject, complete: boolean): Promise<string> {
    const { sender, receiver, comment, madeBy } = prepared
    if (await this.items.isUnderWay(subject, sender, receiver)) throw routingErrors.error('alreadySent')
    const sentAt = this.clock.now()
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
    if (!complete && (await this.items.lockWaiting(subject)).length >= this.limits.waitingItems) {
      throw routingErrors.error('tooManyWaitingItems', { limit: this.limits.waitingItems })
    }
    await this.moves.send(
      item,
      comment === undefined ? undefined : { storedAt: sentAt, author: sender, madeBy, value: comment },
    )
    if (complete) await this.moves.deliver(item)
    return item.id
  }
}
