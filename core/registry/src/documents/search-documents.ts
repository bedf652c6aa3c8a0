import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { TimelineItem, TimelineWindow } from '../database/timeline.js'
import { checkLength } from '../kernel/field-length.js'
import type { Injected } from '../kernel/service.js'
import { documentErrors } from './errors.js'
import { DocumentLimits } from './limits.js'
import { type Batch, type SearchWindow, SHORTEST_ENDING, WordIndex, wordsOf } from './word-index.js'

/** At most so many matches are counted in a bounded search. */
const MAX_COUNTED = 1000
/** At most so many words that contain a term of the query are read along the index. */
const MAX_VARIANTS = 64
/** Documents in one read; fewer at first, since they often fill a page. */
const FIRST_BATCH = 250
const BATCH = 1000
/** Further reads of a bounded search for the total, after its page is full. */
const ROUNDS_FOR_TOTAL = 2
const QUERY_LENGTH = 255
const QUERY_WORDS = 10

/** A page of a search. */
export interface FoundDocuments {
  /** Matches in the window as far as they were counted: exact when all documents were examined, else at most 1,000. */
  readonly total: number
  readonly items: TimelineItem[]
}

/**
 * Finds the documents of a list whose words contain all terms of a query, newest first. It scans the list, which is short for
 * frequent words, and in turn the documents with the rarest term, which it looks up in the list, until one scan proves the
 * shorter: that bounds the work, and `searchedDocuments` does in any case.
 */
export class SearchDocuments {
  static readonly inject = { index: WordIndex, limits: DocumentLimits }

  constructor(private readonly use: Injected<typeof SearchDocuments.inject>) {}

  /**
   * `limit` documents, and all others of the same millisecond as the last one; fewer if they are so rare that the search stops
   * early: the next page has the others. Throws `searchTooBroad` when it stops before it finds any.
   */
  async find(list: string, query: string, window: TimelineWindow, limit: number): Promise<FoundDocuments> {
    checkLength('searchQuery', query, QUERY_LENGTH)
    const terms = wordsOf(query).slice(0, QUERY_WORDS)
    const rarest = await this.rarest(terms, window)
    if (terms.length === 0 || rarest?.words.length === 0) return { total: 0, items: [] }

    let readings = [new Reading((rest, size) => this.use.index.readList(list, terms, rest, size))]
    if (rarest !== undefined) {
      const others = terms.filter((term) => term !== rarest.term)
      readings.unshift(new Reading((rest, size) => this.use.index.readWords(rarest.words, list, others, rest, size)))
    }
    const isBounded = this.use.limits.searchedDocuments > 0
    const most = isBounded ? this.use.limits.searchedDocuments : Number.POSITIVE_INFINITY
    const maxCounted = isBounded ? MAX_COUNTED : Number.POSITIVE_INFINITY
    for (let round = 1, read = 0; ; round += 1) {
      const batch = Math.min(round === 1 ? FIRST_BATCH : BATCH, most - read)
      for (const reading of readings) {
        await reading.readOn(window, batch)
        if (reading.ended || reading.settled.length >= maxCounted) return pageOf(reading, limit, maxCounted)
        await yieldToOthers()
      }
      read += batch
      const [best] = readings.toSorted((a, b) => b.settled.length - a.settled.length)
      if (best === undefined) throw new TypeError('A search reads at least the list')
      if (isBounded && best.settled.length >= limit && round >= ROUNDS_FOR_TOTAL) return pageOf(best, limit, maxCounted)
      if (read >= most) {
        if (best.settled.length === 0) throw documentErrors.error('searchTooBroad')
        return pageOf(best, limit, maxCounted)
      }
      if (best.settled.length > 0) readings = [best]
    }
  }

  /** The term that the fewest documents have, of those that few words contain. */
  private async rarest(terms: readonly string[], window: TimelineWindow) {
    let rarest: { term: string; words: readonly string[]; count: number } | undefined
    for (const term of terms) {
      if (term.length < SHORTEST_ENDING) continue
      const words = await this.use.index.wordsWith(term, MAX_VARIANTS)
      if (words === undefined) continue
      const count = words.length === 0 ? 0 : await this.use.index.count(words, window, MAX_COUNTED)
      if (rarest === undefined || count < rarest.count) rarest = { term, words, count }
      if (count === 0) return { term, words: [], count }
    }
    return rarest
  }
}

/** One scan of the documents, newest first. */
class Reading {
  ended = false
  private last: TimelineItem | undefined
  private readonly matches: TimelineItem[] = []

  constructor(private readonly read: (rest: SearchWindow, size: number) => Promise<Batch>) {}

  async readOn(window: TimelineWindow, size: number): Promise<void> {
    const { matches, last } = await this.read({ ...window, after: this.last }, size)
    this.matches.push(...matches)
    this.last = last
    this.ended = last === undefined
  }

  /** Matches of the milliseconds that were read completely. */
  get settled(): readonly TimelineItem[] {
    const { last } = this
    return last === undefined ? this.matches : this.matches.filter(({ at }) => at > last.at)
  }
}

function pageOf({ settled }: Reading, limit: number, maxCounted: number): FoundDocuments {
  const last = settled[limit - 1]
  const items = last === undefined ? [...settled] : settled.filter(({ at }, n) => n < limit || at === last.at)
  return { total: Math.min(settled.length, Math.max(maxCounted, items.length)), items }
}
