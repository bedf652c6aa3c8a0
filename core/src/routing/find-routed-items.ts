import type { ItemIds, RoutedItems } from '../documents/index.js'
import type { Subject } from '../events/index.js'
import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { ItemStore } from './item-store.js'
import { Parties } from './parties.js'

/** Tells documents and packages about the items by which they were sent. */
export class FindRoutedItems implements RoutedItems {
  static readonly inject = [ItemStore, Parties, Limits] as const

  constructor(
    private readonly items: ItemStore,
    private readonly parties: Parties,
    private readonly limits: Limits,
  ) {}

  async wasDelivered(receiver: string, ...subjectIds: readonly string[]): Promise<boolean> {
    return this.items.wasDelivered(subjectIds, receiver)
  }

  async idsFor(caller: Caller, subject: Subject): Promise<ItemIds> {
    if (!(await this.items.wasSent(subject, false))) return {}
    const party = await this.parties.of(caller, 'routedDocumentsPackagesView')
    const of = async (side: 'sender' | 'receiver') => {
      if (party === undefined) return []
      const by = side === 'sender' ? { sender: party } : { receiver: party }
      return this.items.ofParty(subject, by, this.limits.itemsPerPage)
    }
    const [incomingIds, outgoingIds] = [await of('receiver'), await of('sender')]
    const inIncoming = outgoingIds.length > 0 || (await this.items.wasSent(subject, true))
    return { incomingIds, ...(inIncoming && { outgoingIds }) }
  }
}
