import type { Knex } from 'knex'
import { Database } from '../database/database.js'
import type { NewRow } from '../database/table.js'
import type { TimelineItem, TimelineWindow } from '../database/timeline.js'
import type { Injected } from '../kernel/service.js'
import type { SignatureFacts } from '../signatures/index.js'

const MAX_WORDS = 500
const MAX_LENGTH = 64
const NAMES = new Set(['2.5.4.3', '2.5.4.4', '2.5.4.42', '2.5.4.10'])

/** Too many words contain anything shorter. */
export const SHORTEST_ENDING = 2

/** The distinct words of a text, normalized for comparison: NFKC, in lower case. */
export function wordsOf(...texts: readonly string[]): string[] {
  const words = texts.flatMap((text) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u),
  )
  const cut = words.map((word) => (word.length <= MAX_LENGTH ? word : [...word].slice(0, MAX_LENGTH).join('')))
  return [...new Set(cut.filter((word) => word !== ''))].slice(0, MAX_WORDS)
}

/** The search words of a document at its registration. */
export const wordsOfDocument = (title: string, description: string, facts: SignatureFacts | undefined): string[] => [
  ...new Set([...wordsOf(title, description), ...(facts ? wordsOfSignature(facts) : [])]),
]

/** The search words of a signature: names, IIN, BIN, organization. */
export function wordsOfSignature({ userId, businessId = '', subjectStructure }: SignatureFacts): string[] {
  const names = subjectStructure.flat().filter(({ oid, valueInB64 }) => NAMES.has(oid) && !valueInB64)
  return wordsOf(...names.map(({ value }) => value), userId, businessId)
}

/** The word and its suffixes of at least two characters. Every substring of the word is a prefix of one of them. */
export function endingsOf(word: string): string[] {
  const characters = [...word]
  const starts = characters.map((_, start) => start).slice(0, Math.max(1, characters.length - SHORTEST_ENDING + 1))
  return [...new Set(starts.map((start) => characters.slice(start).join('')))]
}

const TEXTS = 'registry_search_texts'
const WORDS = 'registry_search_words'
const ENDINGS = 'registry_search_endings'
const ROWS_AT_ONCE = 250
/** Words in the cache of those that are in the database already. */
const MAX_CACHED = 50_000
/** The upper bound of prefix ranges: above every character of a word. */
const MAX_CHARACTER = '\u{10ffff}'

/** New search words of a document. */
interface DocumentWords extends TimelineItem {
  /** 0 for those of its registration; each later signature has its own part. */
  readonly part: number
  readonly words: readonly string[]
}

/** What a search reads next: a window of time, after the last item that was read. */
export interface SearchWindow extends TimelineWindow {
  readonly after?: TimelineItem | undefined
}

/** The result of one read: matching documents, newest first. */
export interface Batch {
  readonly matches: readonly TimelineItem[]
  /** The last item that was read; `undefined` at the end. */
  readonly last: TimelineItem | undefined
}

/** Finds documents by substrings of their words, which are stored once for all lists of a document. */
export class WordIndex {
  static readonly inject = { database: Database }
  private readonly remembered = new Set<string>()

  constructor(private readonly use: Injected<typeof WordIndex.inject>) {}

  /** Adds search words, in the transaction that stores their documents or signatures. */
  async add(added: readonly DocumentWords[]): Promise<void> {
    const texts = added.map(({ item, part, words }) => ({ document_id: item, part, words: words.join(' ') }))
    await this.insert(TEXTS, texts)
    await this.insert(
      WORDS,
      added.flatMap(({ at, item, words }) => words.map((word) => ({ word, at, document_id: item }))),
    )
    await this.learn(new Set(added.flatMap(({ words }) => words)))
  }

  /** Removes documents from the index, in the transaction that deletes them. Words stay known. */
  async forget(documents: readonly TimelineItem[]): Promise<void> {
    const of = new Map(documents.map((document) => [document.item, document]))
    const texts: { document_id: string; words: string }[] = await this.use.database
      .query(TEXTS)
      .whereIn('document_id', [...of.keys()])
      .select('document_id', 'words')
    for (const { document_id, words } of texts) {
      const place = { at: of.get(document_id)?.at ?? 0, document_id }
      await this.use.database.query(WORDS).where(place).whereIn('word', words.split(' ')).delete()
    }
    await this.use.database
      .query(TEXTS)
      .whereIn('document_id', [...of.keys()])
      .delete()
  }

  /** The words that contain a text; `undefined` if there are more than `most`. */
  async wordsWith(term: string, most: number): Promise<string[] | undefined> {
    // A word may contain it more than once.
    const limit = 2 * most
    const found: string[] = await this.use.database
      .query(ENDINGS)
      .where('ending', '>=', term)
      .andWhere('ending', '<', term + MAX_CHARACTER)
      .orderBy(['ending', 'word'])
      .limit(limit)
      .pluck('word')
    const words = [...new Set(found)]
    return found.length < limit && words.length <= most ? words : undefined
  }

  /** The number of documents in all lists with any of these words, at most `most`. */
  async count(words: readonly string[], window: TimelineWindow, most: number): Promise<number> {
    const some = within(this.use.database.query(WORDS).whereIn('word', words), window).select('word').limit(most)
    const row: { total?: number | string } | undefined = await this.use.database.query
      .count({ total: '*' })
      .from(some.as('some'))
      .first()
    return Number(row?.total ?? 0)
  }

  /** Reads documents of a list; those match whose words contain all of `terms`. */
  async readList(list: string, terms: readonly string[], window: SearchWindow, size: number): Promise<Batch> {
    const part = within(this.use.database.query('registry_timelines').where({ list }), window, 'item').limit(size)
    const rows = await this.judged(newestFirst(part).select('at', 'item'), terms.map(contains))
    return { matches: matching(rows), last: rows.length < size ? undefined : rows.at(-1) }
  }

  /**
   * Reads documents of all lists with any of these words; those match that are in the list and whose words contain all of
   * `terms`. Each word is read along the index, as far as all of them were read.
   */
  async readWords(
    words: readonly string[],
    list: string,
    terms: readonly string[],
    window: SearchWindow,
    size: number,
  ): Promise<Batch> {
    const each = Math.ceil(size / words.length)
    const parts = words.map((word) => {
      const part = within(this.use.database.query(WORDS).where({ word }), window, 'document_id')
      const some = newestFirst(part, 'document_id').limit(each).select('word', 'at', 'document_id as item')
      return this.use.database.query.select('word', 'at', 'item').from(some.as('part'))
    })
    const [first, ...others] = parts
    if (first === undefined) return { matches: [], last: undefined }
    const rows = await this.judged(first.unionAll(others), [standsIn(list), ...terms.map(contains)])
    const read = new Map<string | undefined, Judged[]>(words.map((word) => [word, []]))
    for (const row of rows) read.get(row.word)?.push(row)
    const unfinished = [...read.values()].filter((some) => some.length >= each).flatMap((some) => some.at(-1) ?? [])
    const last = unfinished.sort(byAge)[0]
    return { matches: matching(rows.filter((row) => last === undefined || byAge(row, last) <= 0)), last }
  }

  /** Adds new words with their suffixes. */
  private async learn(words: ReadonlySet<string>): Promise<void> {
    const unsure = [...words].filter((word) => !this.remembered.has(word)).sort()
    if (unsure.length === 0) return
    await this.insert(
      ENDINGS,
      unsure.flatMap((word) => endingsOf(word).map((ending) => ({ ending, word }))),
    )
    this.use.database.afterCommit(() => {
      if (this.remembered.size > MAX_CACHED) this.remembered.clear()
      for (const word of unsure) this.remembered.add(word)
    })
  }

  private async insert(table: string, rows: readonly NewRow[]): Promise<void> {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      await this.use.database.insertLater(table, rows.slice(from, from + ROWS_AT_ONCE), 'skip')
    }
  }

  private async judged(part: Knex.QueryBuilder, conditions: readonly Condition[]): Promise<Judged[]> {
    const { query } = this.use.database
    const found = query.raw(
      `(${conditions.map(({ sql }) => sql).join(' and ')}) as found`,
      conditions.flatMap(({ bindings }) => bindings),
    )
    const rows: { word?: string; at: number | string; item: string; found: number | string }[] = await newestFirst(
      query.from(part.as('part')),
    ).select('part.*', found)
    return rows.map(({ word, at, item, found }) => ({ word, at: Number(at), item, found: Number(found) === 1 }))
  }
}

interface Judged extends TimelineItem {
  readonly word: string | undefined
  readonly found: boolean
}

/** A condition on a row of `part`. */
interface Condition {
  readonly sql: string
  readonly bindings: readonly string[]
}

const contains = (term: string): Condition => ({
  sql: `exists (select 1 from ${TEXTS} as texts where texts.document_id = part.item and instr(texts.words, ?) > 0)`,
  bindings: [term],
})

const standsIn = (list: string): Condition => ({
  sql: 'exists (select 1 from registry_timelines as lists where lists.list = ? and lists.at = part.at and lists.item = part.item)',
  bindings: [list],
})

function within(query: Knex.QueryBuilder, { from, until, after }: SearchWindow, item = 'item'): Knex.QueryBuilder {
  const inside = query.andWhere('at', '>=', from)
  if (after === undefined) return inside.andWhere('at', '<', until)
  return inside
    .andWhere('at', '<=', after.at)
    .andWhere((rest) => rest.where('at', '<', after.at).orWhere(item, '<', after.item))
}

const newestFirst = (query: Knex.QueryBuilder, item = 'item') =>
  query.orderBy([
    { column: 'at', order: 'desc' },
    { column: item, order: 'desc' },
  ])

/** Newest first. */
const byAge = (a: TimelineItem, b: TimelineItem): number =>
  b.at - a.at || (a.item < b.item ? 1 : a.item > b.item ? -1 : 0)

/** Removes duplicates: several words of a document may have been read. */
function matching(rows: readonly Judged[]): TimelineItem[] {
  const found = new Map(rows.filter((row) => row.found).map(({ at, item }) => [item, { at, item }]))
  return [...found.values()]
}
