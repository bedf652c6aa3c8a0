import { Timeline } from '../database/timeline.js'
import type { ItemStatus } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import type { StoredItem } from './item-store.js'

export type Direction = 'incoming' | 'outgoing'

/** The list of what a person or an organization received or sent, of one status or of all. */
export const listName = (direction: Direction, party: string, status?: ItemStatus): string =>
  status === undefined ? `${direction} ${party}` : `${direction} ${party} ${status}`

/** When a side of an item was sent: for its receiver that is when it was delivered. */
export const sentAt = (direction: Direction, item: StoredItem): number =>
  direction === 'incoming' ? (item.deliveredAt ?? item.sentAt) : item.sentAt

/** Keeps the lists in which items stand. All runs in the transaction that changes the item. */
export class ItemLists {
  static readonly inject = { timeline: Timeline }

  constructor(private readonly use: Injected<typeof ItemLists.inject>) {}

  /** Follows a change of an item; `undefined` before it is sent. */
  async move(before: StoredItem | undefined, after: StoredItem): Promise<void> {
    const left = before === undefined ? [] : places(before)
    const entered = places(after)
    const missing = (from: readonly Place[]) => (place: Place) => !from.some(({ list }) => list === place.list)
    for (const { list, at } of left.filter(missing(entered)))
      await this.use.timeline.remove([list], { at, item: after.id })
    for (const { list, at } of entered.filter(missing(left)))
      await this.use.timeline.add([list], { at, item: after.id })
  }
}

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
