import { cursorBefore, type SearchCursor, windowLeft } from '../database/search-cursor.js'
import type { TimelineItem, TimelineWindow } from '../database/timeline.js'
import { checkLength } from '../kernel/field-length.js'
import type { Injected } from '../kernel/service.js'
import { type Allowance, Intersection, MAX_COUNTED } from './intersection.js'
import { DocumentLimits } from './limits.js'
import { type Postings, PostingsReader } from './postings.js'
import { SHORTEST_ENDING, wordsOf } from './word-index.js'

/** At most so many words that contain a term of the query are read along the index. */
const MAX_VARIANTS = 64
/** Entries that are read to learn whether documents of a list have a word. */
const TRIED = 250
const QUERY_LENGTH = 255
const QUERY_WORDS = 10

/** A page of a search. */
export interface FoundDocuments {
  /** Matches as far as they were counted: exact when all documents were examined, else at most 1,000 or a page. */
  readonly total: number
  /** Newest first. */
  readonly items: readonly TimelineItem[]
  /** Where to go on after the last item; absent at the end. */
  readonly next: SearchCursor | undefined
  /** Where to go on after an earlier item of the page. */
  after(item: TimelineItem): SearchCursor
}

interface Search {
  readonly lists: Postings
  readonly terms: readonly string[]
  readonly window: TimelineWindow
  readonly limit: number
  readonly allowance: Allowance
  /** Which terms are searched for as words, as `SearchCursor` has them. */
  readonly exact: number
}

const NOTHING: FoundDocuments = { total: 0, items: [], next: undefined, after: ({ at }) => cursorBefore(at) }

/**
 * Finds the documents of lists whose words contain all terms of a query, newest first. An empty cursor asks first for those
 * that have the terms as their own words (as far as documents of these lists have), then for the others; so does a search
 * without a cursor that has found nothing yet. Each call reads at most `searchedDocuments` entries, and says where to go on.
 */
export class SearchDocuments {
  static readonly inject = { reader: PostingsReader, limits: DocumentLimits }

  constructor(private readonly use: Injected<typeof SearchDocuments.inject>) {}

  /** `limit` documents, and all others of the same millisecond as the last one; fewer, or none, where matches are rare. */
  async find(
    lists: readonly string[],
    query: string,
    { window, limit, cursor }: { window: TimelineWindow; limit: number; cursor: SearchCursor | undefined },
  ): Promise<FoundDocuments> {
    checkLength('searchQuery', query, QUERY_LENGTH)
    const terms = wordsOf(query).slice(0, QUERY_WORDS)
    if (terms.length === 0 || lists.length === 0) return NOTHING
    const most = this.use.limits.searchedDocuments || Number.POSITIVE_INFINITY
    const search = { lists: { in: 'lists', any: lists }, terms, window, limit } as const
    if (cursor?.phase === 'parts')
      return this.parts({ ...search, allowance: { left: most }, exact: cursor.exact ?? 0 }, cursor)
    // Without a cursor the newest documents come first, and take half of what may be read.
    const half = { left: Math.ceil(most / 2) }
    const newest = cursor === undefined ? await this.parts({ ...search, allowance: half, exact: 0 }) : undefined
    if (newest !== undefined && (newest.items.length > 0 || newest.next === undefined)) return newest
    const allowance = newest === undefined ? { left: most } : { left: Math.ceil(most / 2) }
    const words = { ...search, allowance, exact: cursor?.exact ?? (await this.exact(search)) }
    if (words.exact === 0) return newest ?? this.parts(words, cursor)
    return this.words(words, cursor)
  }

  /** Documents with the words themselves; with all others too where they are on one page together. */
  private async words(search: Search, cursor?: SearchCursor): Promise<FoundDocuments> {
    const { lists, terms, limit, allowance, exact } = search
    const place = { phase: 'words', exact } as const
    const words = wordPostings(search)
    const inside = terms.filter((_, n) => !isBit(exact, n))
    const rarest = await this.rarest(inside, search.window)
    if (rarest?.any.length === 0) return NOTHING
    const found = new Intersection(
      this.use.reader,
      { postings: [...words, lists], implied: rarest, inside, not: [] },
      windowLeft(search.window, cursor),
    )
    await found.read(limit, allowance)
    const items = found.page(limit)
    const more = found.after(items)
    const after = ({ at }: TimelineItem) => ({ ...place, before: at })
    if (more !== undefined) return { total: found.counted(items), items, next: { ...place, before: more }, after }
    const others = await this.parts(search)
    if (items.length === 0) return others
    const total = Math.min(items.length + others.total, MAX_COUNTED)
    if (others.next !== undefined || total > limit) return { total, items, next: { phase: 'parts', exact }, after }
    if (others.items.length === 0) return { total, items, next: undefined, after }
    // After a page of earlier ones the order of time alone would bring those again.
    if (cursor?.before !== undefined) return { total, items, next: { phase: 'parts', exact }, after }
    return {
      total,
      items: [...items, ...others.items].sort(byAge),
      next: undefined,
      after: ({ at }) => cursorBefore(at),
    }
  }

  /** Documents with the terms inside their words, without those that have the words themselves. */
  private async parts(search: Search, cursor?: SearchCursor): Promise<FoundDocuments> {
    const { lists, terms, limit, allowance, exact } = search
    const place = { phase: 'parts', exact } as const
    const after = ({ at }: TimelineItem) => ({ ...place, before: at })
    const window = windowLeft(search.window, cursor)
    if (allowance.left <= 0) return { total: 0, items: [], next: cursor ?? place, after }
    const rarest = await this.rarest(terms, window)
    if (rarest?.any.length === 0) return NOTHING
    const found = new Intersection(
      this.use.reader,
      { postings: [lists], implied: rarest, inside: terms, not: wordPostings(search) },
      window,
    )
    await found.read(limit, allowance)
    const items = found.page(limit)
    const more = found.after(items)
    return {
      total: found.counted(items),
      items,
      next: more === undefined ? undefined : { ...place, before: more },
      after,
    }
  }

  /**
   * The terms that documents of these lists have as words, as far as a few entries of both tell: that others have one is seen
   * neither in a cursor nor in the order of what is found.
   */
  private async exact({ lists, terms, window }: Omit<Search, 'allowance' | 'exact'>): Promise<number> {
    const known = await this.use.reader.known(terms)
    const found = await Promise.all(
      terms.map(async (term) => {
        if (!known.has(term)) return false
        const postings: Postings[] = [{ in: 'words', any: [term] }, lists]
        const some = new Intersection(this.use.reader, { postings, inside: [], not: [] }, window)
        await some.read(1, { left: TRIED })
        return some.matches.length > 0
      }),
    )
    return found.reduce((bits, has, n) => (has ? bits | (1 << n) : bits), 0)
  }

  /** The words with the term that the fewest documents have, of the terms that few words contain. */
  private async rarest(terms: readonly string[], window: TimelineWindow): Promise<Postings | undefined> {
    let rarest: { postings: Postings; count: number } | undefined
    for (const term of terms) {
      if ([...term].length < SHORTEST_ENDING) continue
      const any = await this.use.reader.wordsWith(term, MAX_VARIANTS)
      if (any === undefined) continue
      const postings: Postings = { in: 'words', any }
      const count = any.length === 0 ? 0 : await this.use.reader.count(postings, window, MAX_COUNTED)
      if (count === 0) return { in: 'words', any: [] }
      if (rarest === undefined || count < rarest.count) rarest = { postings, count }
    }
    return rarest?.postings
  }
}

const isBit = (bits: number, n: number): boolean => (bits & (1 << n)) !== 0

const wordPostings = ({ terms, exact }: Search): Postings[] =>
  terms.filter((_, n) => isBit(exact, n)).map((word) => ({ in: 'words', any: [word] }))

/** Newest first. */
const byAge = (a: TimelineItem, b: TimelineItem): number =>
  b.at - a.at || (a.item < b.item ? 1 : a.item > b.item ? -1 : 0)
