import type { Caller } from '../identity/index.js'
import { PageItems } from './page-items.js'
import type { IncomingItem, IncomingList, ItemListQuery } from './schema.js'
import { ShowItems } from './show-items.js'

/**
 * Lists what was delivered to the caller or to their organization, newest first (specification, `GET /api/incoming`).
 * Read on with `until` set to the last `sentAt` until `items` is empty.
 */
export class ListIncoming {
  static readonly inject = [PageItems, ShowItems] as const

  constructor(
    private readonly pages: PageItems,
    private readonly show: ShowItems,
  ) {}

  async execute(caller: Caller, query: ItemListQuery = {}): Promise<IncomingList> {
    const page = await this.pages.page('incoming', caller, query)
    const items: IncomingItem[] = []
    for (const item of page.items) {
      items.push({ incomingId: item.id, ...(await this.show.show('incoming', caller, item, query.includeDetails)) })
    }
    return { incomingTotal: page.total, items }
  }
}
