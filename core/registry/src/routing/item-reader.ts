import { askedSearch, cursorBefore, searchCursorOf, windowLeft } from '../database/search-cursor.js'
import { Timeline, type TimelineWindow } from '../database/timeline.js'
import { GetDocument } from '../documents/index.js'
import { type Caller, type OrganizationRight, OrganizationRights, refusal } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import { Limits } from '../kernel/limits.js'
import { pageOfBytes } from '../kernel/page-of-bytes.js'
import type { Injected } from '../kernel/service.js'
import { GetPackage } from '../packages/index.js'
import { PartyNames } from '../parties/index.js'
import { CommentStore } from './comments.js'
import { routingErrors } from './errors.js'
import { namesIn } from './item-names.js'
import { ItemSigning } from './item-signing.js'
import { ItemStore, type StoredItem } from './item-store.js'
import { RoutingLimits } from './limits.js'
import { type Direction, listName, sentAt } from './move-items.js'
import type { IncomingItem, ItemListQuery, OutgoingItem } from './schema.js'
import { SearchItems } from './search-items.js'

/** Whether an item is shown with its document or package; `pageFull` where the page has no room for it. */
export type Details = boolean | 'pageFull'

/** An item to be shown, with the names of its parties. */
export interface ShownItem {
  readonly item: StoredItem
  readonly names: ReadonlyMap<string, string>
  readonly details: Details
}

/** Reads items as one side sees them, for callers with access to that side. */
export class ItemReader {
  static readonly inject = {
    items: ItemStore,
    rights: OrganizationRights,
    timeline: Timeline,
    documents: GetDocument,
    packages: GetPackage,
    comments: CommentStore,
    names: PartyNames,
    signing: ItemSigning,
    search: SearchItems,
    clock: Clock,
    limits: Limits,
    routing: RoutingLimits,
  }

  constructor(private readonly use: Injected<typeof ItemReader.inject>) {}

  /** One item, for callers who may view the side's lists. */
  async get(direction: Direction, caller: Caller, id: string): Promise<StoredItem> {
    return this.one(direction, caller, 'routedDocumentsPackagesView', () => this.use.items.get(id))
  }

  /** One item, locked in the caller's transaction, for callers who may act for the side. */
  async lock(direction: Direction, caller: Caller, id: string): Promise<StoredItem> {
    return this.one(direction, caller, 'documentsPackagesRoute', () => this.use.items.lock(id))
  }

  /** A page of a side's list, with each item converted by `show`. */
  async page<S>(
    direction: Direction,
    caller: Caller,
    { from = 0, until = this.now(), status, includeDetails = false, ...asked }: ItemListQuery,
    show: (item: ShownItem) => Promise<S>,
  ): Promise<{ total: number; items: S[]; searchCursor?: string }> {
    const party = await this.use.rights.partyOf(caller, 'routedDocumentsPackagesView')
    const list = listName(direction, party, status)
    const search = askedSearch(asked)
    const window = windowLeft({ from, until }, search?.cursor)
    const other = direction === 'incoming' ? 'sender' : 'receiver'
    const found = search && (await this.use.search.find({ caller, list, other, window }, search.query))
    const items = found?.items ?? (await this.newest(list, window))
    const names = await this.names(items)
    const page = await pageOfBytes(
      items,
      this.use.limits.pageBytes,
      (item) => sentAt(direction, item),
      (item, inShort) => show({ item, names, details: includeDetails && inShort ? 'pageFull' : includeDetails }),
    )
    const last = items[page.length - 1]
    const isCut = found !== undefined && last !== undefined && page.length < items.length
    return {
      total: found?.total ?? (await this.use.timeline.total(list, window)),
      items: page,
      ...searchCursorOf(isCut ? cursorBefore(sentAt(direction, last)) : found?.next),
    }
  }

  private async newest(list: string, window: TimelineWindow): Promise<StoredItem[]> {
    const page = await this.use.timeline.page(list, window, this.use.limits.itemsPerPage)
    return this.use.items.list(page.map(({ item }) => item))
  }

  /** As both single items show it: with its comments, and when its receiver had signed what it brings. */
  async single(item: StoredItem, details = false) {
    const names = await this.names([item])
    const signedAt = await this.use.signing.signedAt(item)
    const comments = (await this.use.comments.of(item.id)).map((comment) => {
      const name = names.get(comment.author)
      return name === undefined ? comment : { ...comment, authorName: name }
    })
    return { shown: { item, names, details }, with: { ...(signedAt !== undefined && { signedAt }), comments } }
  }

  /** An item as its receiver sees it. */
  async showIncoming(caller: Caller, asked: ShownItem): Promise<IncomingItem> {
    return { incomingId: asked.item.id, ...(await this.show('incoming', caller, asked)) }
  }

  /** An item as its sender sees it. */
  async showOutgoing(caller: Caller, asked: ShownItem): Promise<OutgoingItem> {
    const { id, failure, reminders, status } = asked.item
    return {
      outgoingId: id,
      ...(await this.show('outgoing', caller, asked)),
      ...(failure && { failure }),
      reminders,
      remindersLeft: status === 'new' ? Math.max(0, this.use.routing.remindersPerItem - reminders) : 0,
    }
  }

  private names(items: readonly StoredItem[]): Promise<ReadonlyMap<string, string>> {
    return this.use.names.of(items.flatMap(({ sender, receiver }) => [sender, receiver]))
  }

  /** `until` is exclusive, and items of the current millisecond are to be listed. */
  private now(): number {
    return this.use.clock.now() + 1
  }

  private async show(direction: Direction, caller: Caller, { item, names, details }: ShownItem) {
    const { subject, sender, receiver, status, toSign, deadline, openedAt, failure } = item
    const { documentId, packageId } = subject
    return {
      ...(documentId !== undefined && { documentId }),
      ...(packageId !== undefined && { packageId }),
      ...(details === 'pageFull' ? { detailsLeftOut: details } : details && (await this.details(caller, item))),
      sentAt: sentAt(direction, item),
      sender,
      receiver,
      ...namesIn(item, names),
      status,
      ...(toSign && { toSign }),
      ...(deadline !== undefined && { deadline }),
      ...(openedAt !== undefined && { openedAt }),
      ...(failure === 'recalled' && ({ recalled: true } as const)),
    }
  }

  private async one(
    direction: Direction,
    caller: Caller,
    right: OrganizationRight,
    read: () => Promise<StoredItem>,
  ): Promise<StoredItem> {
    const party = await this.use.rights.partyOf(caller, right)
    const item = await read()
    // Until it is delivered only the sender sees an item.
    if (direction === 'incoming' && item.deliveredAt === undefined) throw routingErrors.error('itemNotFound')
    if (party !== (direction === 'incoming' ? item.receiver : item.sender)) throw refusal(caller)
    return item
  }

  /** The document or package, or why it is missing: deleted, or not accessible, as it may be to a colleague of the sender. */
  private async details(
    caller: Caller,
    { subject }: StoredItem,
  ): Promise<Pick<IncomingItem, 'document' | 'package' | 'detailsLeftOut'>> {
    try {
      if (subject.documentId === undefined)
        return { package: await this.use.packages.execute(caller, { packageId: subject.packageId }) }
      return { document: await this.use.documents.execute(caller, { id: subject.documentId }) }
    } catch (error) {
      if (error instanceof RegistryError && error.kind === 'forbidden') return { detailsLeftOut: 'closed' }
      if (error instanceof RegistryError && error.kind === 'absent') return { detailsLeftOut: 'forgotten' }
      throw error
    }
  }
}
