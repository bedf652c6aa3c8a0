import { type Caller, type OrganizationRight, refusal } from '../identity/index.js'
import { routingErrors } from './errors.js'
import type { Direction } from './item-lists.js'
import { ItemStore, type StoredItem } from './item-store.js'
import { Parties } from './parties.js'

/** Finds one item from one of its sides, for those who may. */
export class FindItem {
  static readonly inject = [ItemStore, Parties] as const

  constructor(
    private readonly items: ItemStore,
    private readonly parties: Parties,
  ) {}

  /** For those who may see the lists of the side. */
  async toView(direction: Direction, caller: Caller, id: string): Promise<StoredItem> {
    return this.#find(direction, caller, 'routedDocumentsPackagesView', () => this.items.get(id))
  }

  /** Locked, in the caller's transaction, for those who may speak for the side. */
  async toComment(direction: Direction, caller: Caller, id: string): Promise<StoredItem> {
    return this.#find(direction, caller, 'documentsPackagesRoute', () => this.items.lock(id))
  }

  async #find(
    direction: Direction,
    caller: Caller,
    right: OrganizationRight,
    read: () => Promise<StoredItem>,
  ): Promise<StoredItem> {
    const party = await this.parties.assert(caller, right)
    const item = await read()
    // Before it is delivered an item is outgoing alone.
    if (direction === 'incoming' && item.deliveredAt === undefined) throw routingErrors.error('itemNotFound')
    if (party !== (direction === 'incoming' ? item.receiver : item.sender)) throw refusal(caller)
    return item
  }
}
