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
import { type Direction, listName, sentAt } from './move-items.js'
import type { IncomingItem, ItemListQuery, OutgoingItem } from './schema.js'

/** Whether an item is shown with its document or package; `pageFull` where that is asked for and there is no room for it. */
export type Details = boolean | 'pageFull'

/** Reads items from one of their sides, for those who may, and shows them as answers have them. */
export class ItemReader {
  static readonly inject = {
    items: ItemStore,
    rights: OrganizationRights,
    timeline: Timeline,
    documents: GetDocument,
    packages: GetPackage,
    clock: Clock,
    limits: Limits,
  }

  constructor(private readonly use: Injected<typeof ItemReader.inject>) {}

  /** One item, for those who may see the lists of the side. */
  async get(direction: Direction, caller: Caller, id: string): Promise<StoredItem> {
    return this.one(direction, caller, 'routedDocumentsPackagesView', () => this.use.items.get(id))
  }

  /** One item, locked in the caller's transaction, for those who may speak for the side. */
  async lock(direction: Direction, caller: Caller, id: string): Promise<StoredItem> {
    return this.one(direction, caller, 'documentsPackagesRoute', () => this.use.items.lock(id))
  }

  /** A page of the list of a side, each of its items as `show` has it. */
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
    const { id, failure } = item
    return {
      outgoingId: id,
      ...(await this.show('outgoing', caller, item, details)),
      ...(failure && { failure }),
    }
  }

  /** `until` is exclusive, and what was sent in this very millisecond is listed. */
  private now(): number {
    return this.use.clock.now() + 1
  }

  private async show(direction: Direction, caller: Caller, item: StoredItem, details: Details = false) {
    const { subject, sender, receiver, status } = item
    const { documentId, packageId } = subject
    return {
      ...(documentId !== undefined && { documentId }),
      ...(packageId !== undefined && { packageId }),
      ...(details === 'pageFull' ? { detailsLeftOut: details } : details && (await this.details(caller, item))),
      sentAt: sentAt(direction, item),
      sender,
      receiver,
      status,
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
    // Before it is delivered an item is outgoing alone.
    if (direction === 'incoming' && item.deliveredAt === undefined) throw routingErrors.error('itemNotFound')
    if (party !== (direction === 'incoming' ? item.receiver : item.sender)) throw refusal(caller)
    return item
  }

  /** The document or package, or why it is not there: it is forgotten, or closed to the caller, as it may be to a sender's colleague. */
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
