import type { Caller } from '@signed-registry/core'

type Status = 'sending' | 'failed' | 'new' | 'denied' | 'accepted'

export interface ModelPackage {
  readonly id: string
  readonly by: Caller
  readonly isPrivate: boolean
  /** Identifier of each document, and whether its hashes are fixed. */
  readonly documents: Map<string, boolean>
}

export interface ModelItem {
  readonly id: string
  readonly subject: ModelPackage
  readonly sender: string
  readonly receiver: string
  readonly sentAt: number
  readonly deadline: number | undefined
  deliveredAt: number | undefined
  openedAt: number | undefined
  status: Status
  isRecalled: boolean
  comments: number
  reminders: number
  remindedAt: number | undefined
}

export const LIMITS = {
  ...{ waitingItems: 2, commentsPerItem: 3, sendingMs: 1000, remindersPerItem: 2, reminderMs: 400 },
  mailsPerHour: 100_000,
}

/** The rules of sending, in memory: what each operation does, or the code of its refusal. */
export class RoutingModel {
  readonly packages: ModelPackage[] = []
  readonly items: ModelItem[] = []

  /** `mayRoute` tells employees whom their organization lets. */
  constructor(private readonly mayRoute: (caller: Caller) => boolean) {}

  party(caller: Caller): string | undefined {
    if (caller.kind === 'anonymous' || !this.mayRoute(caller)) return undefined
    return caller.kind === 'person' ? caller.iin : caller.bin
  }

  mayView(caller: Caller, subject: ModelPackage): boolean {
    const party = this.party(caller)
    const received = this.items.some(
      (item) =>
        item.subject === subject && item.receiver === party && item.deliveredAt !== undefined && !item.isRecalled,
    )
    const registered = subject.by === caller && caller.kind !== 'anonymous'
    return !subject.isPrivate || registered || received
  }

  refusalOfSend(caller: Caller, subject: ModelPackage, to: string): string | undefined {
    if (caller.kind === 'anonymous') return 'authenticationRequired'
    const party = this.party(caller)
    if (party === undefined) return 'accessDenied'
    if (party === to) return 'invalidReceiver'
    if (subject.isPrivate && subject.by !== caller) return 'accessDenied'
    const ofSubject = this.items.filter((item) => item.subject === subject)
    const underWay = ['sending', 'new']
    if (ofSubject.some((one) => one.sender === party && one.receiver === to && underWay.includes(one.status))) {
      return 'alreadySent'
    }
    const waiting = ofSubject.filter(({ status }) => status === 'sending').length
    return !isComplete(subject) && waiting >= LIMITS.waitingItems ? 'tooManyWaitingItems' : undefined
  }

  refusalOfRead(side: 'incoming' | 'outgoing', caller: Caller, item: ModelItem): string | undefined {
    if (caller.kind === 'anonymous') return 'authenticationRequired'
    const party = this.party(caller)
    if (party === undefined) return 'accessDenied'
    if (side === 'incoming' && item.deliveredAt === undefined) return 'itemNotFound'
    return party === (side === 'incoming' ? item.receiver : item.sender) ? undefined : 'accessDenied'
  }

  refusalOfComment(side: 'incoming' | 'outgoing', caller: Caller, item: ModelItem, decides: boolean) {
    const refusal = this.refusalOfRead(side, caller, item)
    if (refusal !== undefined) return refusal
    if (item.status !== 'new') return decides ? 'statusCanNotBeChanged' : 'commentsClosed'
    return !decides && item.comments >= LIMITS.commentsPerItem ? 'commentsLimitReached' : undefined
  }

  refusalOfDecision(caller: Caller, item: ModelItem, status: 'denied' | 'accepted', now: number) {
    const isLate = status === 'accepted' && item.deadline !== undefined && now > item.deadline
    return this.refusalOfComment('incoming', caller, item, true) ?? (isLate ? 'deadlinePassed' : undefined)
  }

  refusalOfRemind(caller: Caller, item: ModelItem, now: number): string | undefined {
    const refusal = this.refusalOfRead('outgoing', caller, item)
    if (refusal !== undefined) return refusal
    if (item.status !== 'new') return 'reminderNotPossible'
    if (item.deadline !== undefined && now > item.deadline) return 'deadlinePassed'
    if (item.reminders >= LIMITS.remindersPerItem) return 'remindersLimitReached'
    const last = item.remindedAt ?? item.deliveredAt ?? 0
    return now < last + LIMITS.reminderMs ? 'remindedTooSoon' : undefined
  }

  refusalOfRecall(caller: Caller, item: ModelItem): string | undefined {
    const undecided = item.status === 'new' || item.status === 'sending'
    return this.refusalOfRead('outgoing', caller, item) ?? (undecided ? undefined : 'canNotBeRecalled')
  }

  send(
    id: string,
    caller: Caller,
    subject: ModelPackage,
    { receiver, deadline, now }: { receiver: string; deadline: number | undefined; now: number },
  ): void {
    const delivered = isComplete(subject)
    this.items.push({
      id,
      subject,
      sender: this.party(caller) ?? '',
      receiver,
      sentAt: now,
      deadline,
      deliveredAt: delivered ? now : undefined,
      openedAt: undefined,
      status: delivered ? 'new' : 'sending',
      isRecalled: false,
      comments: 0,
      reminders: 0,
      remindedAt: undefined,
    })
  }

  /** Answers the item that `POST /api/{id}/data` names. */
  fix(subject: ModelPackage, documentId: string, now: number): string | undefined {
    subject.documents.set(documentId, true)
    if (!isComplete(subject)) return undefined
    const waiting = this.items.filter((item) => item.subject === subject && item.status === 'sending')
    for (const item of waiting) Object.assign(item, { status: 'new', deliveredAt: now })
    return waiting.sort((a, b) => a.sentAt - b.sentAt || (a.id < b.id ? -1 : 1))[0]?.id
  }

  comment(item: ModelItem, status: 'denied' | 'accepted' | undefined): void {
    item.comments += 1
    item.status = status ?? item.status
  }

  remind(item: ModelItem, now: number): void {
    item.reminders += 1
    item.remindedAt = now
  }

  recall(item: ModelItem, withComment: boolean): void {
    if (withComment) item.comments += 1
    item.status = 'failed'
    item.isRecalled = true
  }

  failOverdue(now: number): void {
    for (const item of this.items) {
      if (item.status === 'sending' && item.sentAt <= now - LIMITS.sendingMs) item.status = 'failed'
    }
  }

  /** What a party sees on one side, newest first. */
  list(side: 'incoming' | 'outgoing', party: string, status: Status | undefined): string[] {
    const at = (item: ModelItem) => (side === 'incoming' ? (item.deliveredAt ?? -1) : item.sentAt)
    return this.items
      .filter((item) => (side === 'incoming' ? item.receiver : item.sender) === party)
      .filter((item) => at(item) >= 0 && (status === undefined || item.status === status))
      .sort((a, b) => at(b) - at(a) || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id)
  }
}

const isComplete = ({ documents }: ModelPackage): boolean => [...documents.values()].every(Boolean)
