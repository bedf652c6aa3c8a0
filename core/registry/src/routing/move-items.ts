import { Timeline } from '../database/timeline.js'
import { DigestOpenings, type PreparedSending, type Send, type Sending } from '../documents/index.js'
import { EventPublisher, type ItemStatus, type NewEvent, type Subject } from '../events/index.js'
import { assertAuthenticated, type Caller, OrganizationRights, organizationOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import { LogEntries } from '../log/index.js'
import { Subscriptions } from '../organizations/index.js'
import { CommentStore, commentText, type NewComment } from './comments.js'
import { routingErrors } from './errors.js'
import { decisionFact, deliveryFact, recallFact } from './item-facts.js'
import { ItemStore, type StoredItem } from './item-store.js'
import { RoutingLimits } from './limits.js'

export type Direction = 'incoming' | 'outgoing'

/** The list of items that a party received or sent, with one status or with any. */
export const listName = (direction: Direction, party: string, status?: ItemStatus): string =>
  status === undefined ? `${direction} ${party}` : `${direction} ${party} ${status}`

/** `sentAt` as a side sees it: for the receiver it is the time of delivery. */
export const sentAt = (direction: Direction, item: StoredItem): number =>
  direction === 'incoming' ? (item.deliveredAt ?? item.sentAt) : item.sentAt

/** An item's entry in a list. */
interface Place {
  readonly list: string
  readonly at: number
}

function places(item: StoredItem): Place[] {
  const of = (direction: Direction, party: string) =>
    [undefined, item.status].map((status) => ({
      list: listName(direction, party, status),
      at: sentAt(direction, item),
    }))
  return [...of('outgoing', item.sender), ...(item.deliveredAt === undefined ? [] : of('incoming', item.receiver))]
}

/** Places that are not among `others`. */
const without = (places: readonly Place[], others: readonly Place[]): Place[] =>
  places.filter(({ list }) => !others.some((other) => other.list === list))

type Change = Extract<NewEvent, { itemId: string }>['type']

/** Who moves an item, and the number of the comment that comes with it. */
interface Act {
  readonly author?: string
  readonly comment?: number
}

/** Allowed transitions by current status; a decision is final. */
const BECOMES: Readonly<Record<ItemStatus, readonly ItemStatus[]>> = {
  sending: ['new', 'failed'],
  // By a recall alone it fails after its delivery.
  new: ['new', 'accepted', 'denied', 'failed'],
  failed: [],
  accepted: [],
  denied: [],
}

/** Changes items along with their lists and events, in the caller's transaction; deliveries, decisions and recalls are logged. */
export class MoveItems {
  static readonly inject = {
    items: ItemStore,
    comments: CommentStore,
    timeline: Timeline,
    events: EventPublisher,
    log: LogEntries,
    openings: DigestOpenings,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof MoveItems.inject>) {}

  /** Stores a new item, with its first comment if there is one. */
  async send(item: StoredItem, comment: NewComment | undefined): Promise<void> {
    await this.use.items.add(item)
    if (comment) await this.use.comments.add(item.id, comment)
    await this.follow('itemSent', undefined, item, { author: item.sender, comment: item.commentsCount })
  }

  /** Delivers a waiting item; it must be locked. */
  async deliver(item: StoredItem): Promise<void> {
    await this.use.openings.deliver(item.subject, item.receiver)
    const delivered = { ...item, status: 'new', deliveredAt: this.use.clock.now() } as const
    // What was sent along is its only comment until now.
    await this.change('itemDelivered', item, delivered, { comment: item.commentsCount })
    await this.use.log.append([deliveryFact(delivered)])
  }

  /** Fails a waiting item; it must be locked. */
  async fail(item: StoredItem): Promise<void> {
    const failed = { ...item, status: 'failed', failure: 'notCompletedInTime', failedAt: this.use.clock.now() } as const
    await this.change('itemFailed', item, failed)
  }

  /** Notes that the receiver reads a delivered item, in a transaction; the first time is told. */
  async open(item: StoredItem): Promise<StoredItem> {
    const opened = { ...item, openedAt: this.use.clock.now() }
    if (!(await this.use.items.open(item.id, opened.openedAt))) return this.use.items.get(item.id)
    await this.publish('itemOpened', opened, { author: item.receiver })
    return opened
  }

  /** Reminds the receiver of a delivered item; it must be locked. */
  async remind(item: StoredItem): Promise<void> {
    const reminded = { ...item, reminders: item.reminders + 1, remindedAt: this.use.clock.now() }
    await this.change('itemReminded', item, reminded, { author: item.sender })
  }

  /** Takes an undecided item back, with the sender's comment if there is one; it must be locked. */
  async recall(item: StoredItem, recalledBy: string, comment: string | undefined): Promise<void> {
    const failedAt = this.use.clock.now()
    const { sender, subject, receiver } = item
    if (comment !== undefined)
      await this.use.comments.add(item.id, {
        storedAt: failedAt,
        author: sender,
        madeBy: recalledBy,
        value: comment,
      })
    const commentsCount = item.commentsCount + (comment === undefined ? 0 : 1)
    const recalled = { ...item, commentsCount, status: 'failed', failure: 'recalled', failedAt, recalledBy } as const
    await this.change('itemRecalled', item, recalled, {
      author: sender,
      comment: comment === undefined ? 0 : commentsCount,
    })
    // Until it was delivered it opened nothing, and nobody relies on it.
    if (item.deliveredAt === undefined) return
    await this.use.openings.takeBack(subject, receiver, (ids) => this.use.items.openAmong(ids, receiver))
    await this.use.log.append([recallFact(recalled)])
  }

  /** Adds a comment, and the decision that may come with it; the item must be locked. */
  async comment(item: StoredItem, comment: NewComment): Promise<void> {
    await this.use.comments.add(item.id, comment)
    const { status = item.status, author } = comment
    const change = comment.status === undefined ? 'itemCommented' : 'itemDecided'
    const commentsCount = item.commentsCount + 1
    await this.change(change, item, { ...item, status, commentsCount }, { author, comment: commentsCount })
    if (comment.status !== undefined)
      await this.use.log.append([decisionFact({ ...comment, itemId: item.id, status: comment.status })])
  }

  private async change(change: Change, before: StoredItem, after: StoredItem, by: Act = {}): Promise<void> {
    if (!BECOMES[before.status].includes(after.status))
      throw new Error(`An item that is ${before.status} never becomes ${after.status}`)
    await this.use.items.save(after)
    await this.follow(change, before, after, by)
  }

  private async follow(type: Change, before: StoredItem | undefined, after: StoredItem, by: Act): Promise<void> {
    const [left, entered] = [before === undefined ? [] : places(before), places(after)]
    for (const { list, at } of without(left, entered)) await this.use.timeline.remove([list], { at, item: after.id })
    // An item never returns to a list that it has left.
    await this.use.timeline.addNew(without(entered, left).map((place) => ({ ...place, item: after.id })))
    await this.publish(type, after, by)
  }

  private async publish(type: Change, item: StoredItem, { author, comment = 0 }: Act): Promise<void> {
    const { id: itemId, subject, status, commentsCount, sender, receiver, toSign, deliveredAt } = item
    await this.use.events.publish({
      type,
      itemId,
      subject,
      status,
      commentsCount,
      comment,
      sender,
      receiver,
      isDelivered: deliveredAt !== undefined,
      toSign,
      author,
    })
  }
}

const RECEIVER = /^(IIN|BIN)\d{12}$/

/** Sends documents and packages. */
export class SendItems implements Sending {
  static readonly inject = {
    items: ItemStore,
    moves: MoveItems,
    rights: OrganizationRights,
    features: Subscriptions,
    clock: Clock,
    limits: RoutingLimits,
  }

  constructor(private readonly use: Injected<typeof SendItems.inject>) {}

  async prepare(caller: Caller, { to: receiver, comment, toSign = false, deadline }: Send): Promise<PreparedSending> {
    const sender = await this.use.rights.partyOf(caller, 'documentsPackagesRoute')
    await this.use.features.assertEnabled(organizationOf(caller), 'documentsRouting')
    if (!RECEIVER.test(receiver)) throw routingErrors.error('invalidReceiver')
    if (receiver === sender) throw routingErrors.error('invalidReceiver', { reason: 'sender' })
    const ahead = deadline === undefined ? 0 : deadline - this.use.clock.now()
    if (deadline !== undefined && (ahead <= 0 || ahead > this.use.limits.deadlineMs))
      throw routingErrors.error('invalidDeadline', { limit: this.use.limits.deadlineMs })
    return {
      sender,
      receiver,
      toSign,
      deadline,
      comment: comment === undefined ? undefined : commentText(comment, this.use.limits),
      madeBy: actorOf(caller),
    }
  }

  async send(prepared: PreparedSending, subject: Subject, complete: boolean): Promise<string> {
    const { sender, receiver, comment, madeBy, toSign, deadline } = prepared
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
      madeBy,
      toSign,
      deadline,
      openedAt: undefined,
      reminders: 0,
      remindedAt: undefined,
      failedAt: undefined,
      recalledBy: undefined,
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

/** Refuses what can be done with an item only until its deadline. */
export function assertInTime({ deadline }: StoredItem, now: number): void {
  if (deadline !== undefined && now > deadline) throw routingErrors.error('deadlinePassed', { deadline })
}

/** The exact actor: the IIN of a person or employee, or the SHA-256 of a system's certificate. */
export function actorOf(caller: Caller): string {
  assertAuthenticated(caller)
  return caller.kind === 'system' ? caller.certificateDigest : caller.iin
}
