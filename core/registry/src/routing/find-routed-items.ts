import type { ItemIds, RoutedItems } from '../documents/index.js'
import type { Subject } from '../events/index.js'
import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import type { Injected } from '../kernel/service.js'
import { ItemStore } from './item-store.js'
import { Parties } from './parties.js'

/** Tells documents and packages about the items by which they were sent. */
export class FindRoutedItems implements RoutedItems {
  static readonly inject = { items: ItemStore, parties: Parties, limits: Limits }

  constructor(private readonly use: Injected<typeof FindRoutedItems.inject>) {}

  async wasDelivered(receiver: string, ...subjectIds: readonly string[]): Promise<boolean> {
    return this.use.items.wasDelivered(subjectIds, receiver)
  }

  async idsFor(caller: Caller, subject: Subject): Promise<ItemIds> {
    if (!(await this.use.items.wasSent(subject, false))) return {}
    const party = await this.use.parties.of(caller, 'routedDocumentsPackagesView')
    const of = async (side: 'sender' | 'receiver') => {
      if (party === undefined) return []
      const by = side === 'sender' ? { sender: party } : { receiver: party }
      return this.use.items.delivered(subject, by, this.use.limits.itemsPerPage)
    }
    const incomingIds = await of('receiver')
    if (!(await this.use.items.wasSent(subject, true))) return { incomingIds }
    return { incomingIds, outgoingIds: await of('sender') }
  }
}
