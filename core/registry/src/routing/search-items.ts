import { queryWords, scanList } from '../database/scan-list.js'
import type { SearchCursor } from '../database/search-cursor.js'
import { Timeline, type TimelineItem, type TimelineWindow } from '../database/timeline.js'
import { DocumentAccess, DocumentStore } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import type { Injected } from '../kernel/service.js'
import { PackageAccess, PackageStore } from '../packages/index.js'
import { PartyNames } from '../parties/index.js'
import { namesIn } from './item-names.js'
import { ItemStore, type StoredItem } from './item-store.js'
import { RoutingLimits } from './limits.js'

/** Which list is searched, and for whom. */
export interface SearchedList {
  readonly caller: Caller
  readonly list: string
  /** The other side of its items. */
  readonly other: 'sender' | 'receiver'
  readonly window: TimelineWindow
}

/** A page of a search. */
export interface FoundItems {
  readonly items: StoredItem[]
  /** How many were found among those that were looked at. */
  readonly total: number
  /** Where to go on; absent at the end. */
  readonly next: SearchCursor | undefined
}

/** Finds items by the title of what they bring and by the other party, among the newest of a list. */
export class SearchItems {
  static readonly inject = {
    items: ItemStore,
    timeline: Timeline,
    documents: DocumentStore,
    packages: PackageStore,
    documentAccess: DocumentAccess,
    packageAccess: PackageAccess,
    names: PartyNames,
    limits: Limits,
    routing: RoutingLimits,
  }

  constructor(private readonly use: Injected<typeof SearchItems.inject>) {}

  /**
   * Those that have every word of the query, newest first: a page of them, and all others of the same millisecond as its last
   * one. Looks at `searchedItems`, counts what it finds among them, and says where to go on.
   */
  async find({ window, ...searched }: SearchedList, query: string): Promise<FoundItems> {
    const terms = queryWords(query)
    const { timeline, limits, routing } = this.use
    const bounds = { timeline, list: searched.list, window, limit: limits.itemsPerPage, most: routing.searchedItems }
    const { ids, total, next } = await scanList(bounds, (places) => this.matching(searched, places, terms))
    return { items: await this.use.items.list(ids), total, next }
  }

  private async matching(
    { caller, other }: Omit<SearchedList, 'window'>,
    places: readonly TimelineItem[],
    terms: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const items = await this.use.items.list(places.map(({ item }) => item))
    const names = await this.use.names.of(items.map((item) => item[other]))
    const titles = await this.titles(items)
    const matches = new Set<string>()
    for (const item of items) {
      const shown = namesIn(item, names)
      const party = `${item[other]} ${(other === 'sender' ? shown.senderName : shown.receiverName) ?? ''}`.toLowerCase()
      const title = (titles.get(item.id) ?? '').toLowerCase()
      const left = terms.filter((term) => !party.includes(term))
      // A title answers only to who may read it.
      if (left.every((term) => title.includes(term)) && (left.length === 0 || (await this.mayView(caller, item))))
        matches.add(item.id)
    }
    return matches
  }

  private async titles(items: readonly StoredItem[]): Promise<ReadonlyMap<string, string>> {
    const ids = (of: 'documentId' | 'packageId') => [...new Set(items.flatMap(({ subject }) => subject[of] ?? []))]
    const documents = await this.use.documents.list(ids('documentId'))
    const packages = await this.use.packages.list(ids('packageId'))
    const titles = new Map([...documents, ...packages].map(({ id, title }) => [id, title]))
    return new Map(items.map(({ id, subject }) => [id, titles.get(subject.documentId ?? subject.packageId) ?? '']))
  }

  private async mayView(caller: Caller, { subject }: StoredItem): Promise<boolean> {
    if (subject.documentId === undefined)
      return this.use.packageAccess.may('view', caller, await this.use.packages.get(subject.packageId))
    return this.use.documentAccess.may('view', caller, await this.use.documents.get(subject.documentId))
  }
}
