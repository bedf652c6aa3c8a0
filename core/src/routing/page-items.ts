import { Timeline } from '../database/timeline.js'
import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { type Direction, listName } from './item-lists.js'
import { ItemStore, type StoredItem } from './item-store.js'
import { Parties } from './parties.js'
import type { ItemListQuery } from './schema.js'

/** Reads lists of items page by page, for those who may see them. */
export class PageItems {
  static readonly inject = [Parties, Timeline, ItemStore, Limits] as const

  constructor(
    private readonly parties: Parties,
    private readonly timeline: Timeline,
    private readonly items: ItemStore,
    private readonly limits: Limits,
  ) {}

  async page(
    direction: Direction,
    caller: Caller,
    { from = 0, until = Number.MAX_SAFE_INTEGER, status }: ItemListQuery,
  ): Promise<{ total: number; items: StoredItem[] }> {
    const party = await this.parties.assert(caller, 'routedDocumentsPackagesView')
    const list = listName(direction, party, status)
    const page = await this.timeline.page(list, { from, until }, this.limits.itemsPerPage)
    return {
      total: await this.timeline.total(list, { from, until }),
      items: await this.items.list(page.map(({ item }) => item)),
    }
  }
}
