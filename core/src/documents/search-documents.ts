import type { TimelineItem, TimelineWindow } from '../database/timeline.js'
import { checkLength } from '../kernel/field-length.js'
import { documentErrors } from './errors.js'
import { wordsOf } from './search-words.js'
import { WordIndex, type WordWindow } from './word-index.js'

/** Matches that are counted exactly, and read at once. */
const FEW = 1000
/** Different words that may begin as one word of the query does and still be read in the order of time. */
const VARIANTS = 64
const READ_MOST = 50_000
const QUERY_LENGTH = 255
const QUERY_WORDS = 10

/** A word of a query, and the words that begin so; `undefined` where there are too many of them. */
interface Term {
  readonly beginning: string
  readonly words: readonly string[] | undefined
  /** Documents that have it, at most 1,000. */
  readonly count: number
}

/** A page of a search. */
export interface FoundDocuments {
  /** Matches in the window, exact up to 1,000. */
  readonly total: number
  readonly items: TimelineItem[]
}

/** Finds the documents of a list that have all words of a query, each as the beginning of a word, newest first. */
export class SearchDocuments {
  static readonly inject = [WordIndex] as const

  constructor(private readonly index: WordIndex) {}

  /** `limit` documents, and all others of the same millisecond as the last one. */
  async execute(list: string, query: string, window: TimelineWindow, limit: number): Promise<FoundDocuments> {
    checkLength('searchQuery', query, QUERY_LENGTH)
    const beginnings = wordsOf(query).slice(0, QUERY_WORDS)
    const rarest = await this.#rarest(list, beginnings, window)
    if (rarest === undefined) return { total: 0, items: [] }

    const others = beginnings.filter((beginning) => beginning !== rarest.beginning)
    const items: TimelineItem[] = []
    let total = 0
    for await (const batch of this.#newest(list, rarest, window)) {
      for (const match of await this.#having(batch, others)) {
        total += 1
        if (items.length < limit || items.at(-1)?.at === match.at) items.push(match)
      }
      if (total >= FEW) break
    }
    return { total: Math.min(total, Math.max(FEW, items.length)), items }
  }

  /** The word of the query that the fewest documents have; `undefined` when some word finds nothing. */
  async #rarest(list: string, beginnings: readonly string[], window: TimelineWindow): Promise<Term | undefined> {
    let rarest: Term | undefined
    for (const beginning of beginnings) {
      const words = await this.index.words(list, beginning, VARIANTS + 1)
      const inOrder = words.length <= VARIANTS
      const count = inOrder
        ? await this.index.countOf(list, words, window, FEW)
        : await this.index.count(list, beginning, window, FEW)
      if (count === 0) return undefined
      if (rarest === undefined || count < rarest.count)
        rarest = { beginning, words: inOrder ? words : undefined, count }
    }
    return rarest
  }

  /** Matches of one word, newest first, in batches. */
  async *#newest(list: string, { beginning, words }: Term, window: TimelineWindow): AsyncGenerator<TimelineItem[]> {
    let last: TimelineItem | undefined
    for (let read = 0; read < READ_MOST; read += FEW) {
      const rest: WordWindow = { ...window, after: last }
      const batch =
        words === undefined
          ? await this.index.newestOfRange(list, beginning, rest, FEW)
          : await this.index.newest(list, words, rest, FEW)
      yield batch
      if (batch.length < FEW) return
      last = batch.at(-1)
    }
    throw documentErrors.error('searchTooBroad')
  }

  async #having(items: TimelineItem[], beginnings: readonly string[]): Promise<TimelineItem[]> {
    if (beginnings.length === 0 || items.length === 0) return items
    const words = await this.index.ofMany(items.map(({ item }) => item))
    return items.filter(({ item }) =>
      beginnings.every((beginning) => words.get(item)?.some((word) => word.startsWith(beginning))),
    )
  }
}
