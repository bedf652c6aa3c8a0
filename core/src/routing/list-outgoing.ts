import type { Caller } from '../identity/index.js'
import { outgoingItem } from './get-outgoing.js'
import { PageItems } from './page-items.js'
import type { ItemListQuery, OutgoingItem, OutgoingList } from './schema.js'
import { ShowItems } from './show-items.js'

/**
 * Lists what the caller or their organization sent, newest first (specification, `GET /api/outgoing`).
 * Read on with `until` set to the last `sentAt` until `items` is empty.
 */
export class ListOutgoing {
  static readonly inject = [PageItems, ShowItems] as const

  constructor(
    private readonly pages: PageItems,
    private readonly show: ShowItems,
  ) {}

  async execute(caller: Caller, query: ItemListQuery = {}): Promise<OutgoingList> {
    const page = await this.pages.page('outgoing', caller, query)
    const items: OutgoingItem[] = []
    for (const item of page.items) {
      items.push(outgoingItem(item, await this.show.show('outgoing', caller, item, query.includeDetails)))
    }
    return { outgoingTotal: page.total, items }
  }
}
