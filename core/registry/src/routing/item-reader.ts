import { Timeline } from '../database/timeline.js'
import { GetDocument } from '../documents/index.js'
import { type Caller, type OrganizationRight, OrganizationRights, refusal } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import { Limits } from '../kernel/limits.js'
import { pageOfBytes } from '../kernel/page-of-bytes.js'
import type { Injected } from '../kernel/service.js'
import { GetPackage } from '../packages/index.js'
import { routingErrors } from './errors.js'
import { ItemStore, type StoredItem } from './item-store.js'
import { RoutingLimits } from './limits.js'
import { type Direction, listName, sentAt } from './move-items.js'
import type { IncomingItem, ItemListQuery, OutgoingItem } from './schema.js'

/** Whether an item is shown with its document or package; `pageFull` where the page has no room for it. */
export type Details = boolean | 'pageFull'

/** Reads items as one side sees them, for callers with access to that side. */
export class ItemReader {
  static readonly inject = {
    items: ItemStore,
    rights: OrganizationRights,
    timeline: Timeline,
    documents: GetDocument,
    packages: GetPackage,
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
    { from = 0, until = this.now(), status, includeDetails = false }: ItemListQuery,
    show: (item: StoredItem, details: Details) => Promise<S>,
  ): Promise<{ total: number; items: S[] }> {
    const party = await this.use.rights.partyOf(caller, 'routedDocumentsPackagesView')
    const list = listName(direction, party, status)
    const page = await this.use.timeline.page(list, { from, until }, this.use.limits.itemsPerPage)
    return {
      total: await this.use.timeline.total(list, { from, until }),
      items: await pageOfBytes(
        await this.use.items.list(page.map(({ item }) => item)),
        this.use.limits.pageBytes,
        (item) => sentAt(direction, item),
        (item, inShort) => show(item, includeDetails && inShort ? 'pageFull' : includeDetails),
      ),
    }
  }

  /** An item as its receiver sees it. */
  async showIncoming(caller: Caller, item: StoredItem, details?: Details): Promise<IncomingItem> {
    return { incomingId: item.id, ...(await this.show('incoming', caller, item, details)) }
  }

  /** An item as its sender sees it. */
  async showOutgoing(caller: Caller, item: StoredItem, details?: Details): Promise<OutgoingItem> {
    const { id, failure, reminders, status } = item
    return {
      outgoingId: id,
      ...(await this.show('outgoing', caller, item, details)),
      ...(failure && { failure }),
      reminders,
      remindersLeft: status === 'new' ? Math.max(0, this.use.routing.remindersPerItem - reminders) : 0,
    }
  }

  /** `until` is exclusive, and items of the current millisecond are to be listed. */
  private now(): number {
    return this.use.clock.now() + 1
  }

  private async show(direction: Direction, caller: Caller, item: StoredItem, details: Details = false) {
    const { subject, sender, receiver, status, toSign, deadline, openedAt, failure } = item
    const { documentId, packageId } = subject
    return {
      ...(documentId !== undefined && { documentId }),
      ...(packageId !== undefined && { packageId }),
      ...(details === 'pageFull' ? { detailsLeftOut: details } : details && (await this.details(caller, item))),
      sentAt: sentAt(direction, item),
      sender,
      receiver,
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
