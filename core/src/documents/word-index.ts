import type { Knex } from 'knex'
import { Database } from '../database/database.js'
import type { TimelineEntry, TimelineItem, TimelineWindow } from '../database/timeline.js'

const TABLE = 'registry_document_words'
const ROWS_AT_ONCE = 500
/** Above every character that a word may hold. */
const HIGHEST = '\u{10ffff}'

/** The part of a search that is read: a window of time, after a match that was read before. */
export interface WordWindow extends TimelineWindow {
  readonly after?: TimelineItem | undefined
}

/** Words by which a document is found in one of its lists. */
export interface WordEntry extends TimelineEntry {
  readonly words: readonly string[]
}

/** Finds documents of a list by the beginnings of their words. */
export class WordIndex {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  /** All words of each document. */
  async ofMany(documentIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    const rows: { id: string; search_words: string | null }[] = await this.database
      .query('registry_documents')
      .whereIn('id', documentIds)
      .select('id', 'search_words')
    return new Map(rows.map(({ id, search_words: words }) => [id, words === null ? [] : JSON.parse(words)]))
  }

  async save(documentId: string, words: readonly string[]): Promise<void> {
    await this.database
      .query('registry_documents')
      .where({ id: documentId })
      .update({ search_words: JSON.stringify(words) })
  }

  /** Makes documents found by words in lists where they are not by any of them yet. */
  async add(entries: readonly WordEntry[]): Promise<void> {
    const rows = entries.flatMap(({ list, words, at, item }) =>
      words.map((word) => ({ list, word, at, document_id: item })),
    )
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      await this.database.query(TABLE).insert(rows.slice(start, start + ROWS_AT_ONCE))
    }
  }

  /** How many documents have these words, at most `most` for each of them. */
  async countOf(list: string, words: readonly string[], window: TimelineWindow, most: number): Promise<number> {
    const parts = words.map((word) =>
      this.database.query
        .select('word')
        .from(within(this.database.query(TABLE).where({ list, word }), window).select('word').limit(most).as('part')),
    )
    const [first, ...others] = parts
    if (first === undefined) return 0
    return this.#total(first.unionAll(others))
  }

  /** How many words of documents begin so, at most `most`; reads past those that are not in the window. */
  async count(list: string, beginning: string, window: TimelineWindow, most: number): Promise<number> {
    return this.#total(this.#range(list, beginning, window).select('word').limit(most))
  }

  /** The different words that begin so, at most `most`, each found by one step in the index. */
  async words(list: string, beginning: string, most: number): Promise<string[]> {
    const found: string[] = []
    for (let after: string | undefined; found.length < most; after = found.at(-1)) {
      const row: { word: string } | undefined = await this.database
        .query(TABLE)
        .where({ list })
        .andWhere('word', after === undefined ? '>=' : '>', after ?? beginning)
        .andWhere('word', '<', beginning + HIGHEST)
        .orderBy('word')
        .first('word')
      if (row === undefined) break
      found.push(row.word)
    }
    return found
  }

  /** Documents with any of these words, newest first; each word is read along the index no further than needed. */
  async newest(list: string, words: readonly string[], window: WordWindow, limit: number): Promise<TimelineItem[]> {
    const parts = words.map((word) => {
      const inOrder = newestFirst(within(this.database.query(TABLE).where({ list, word }), window)).limit(limit)
      return this.database.query.select('at', 'document_id').from(inOrder.select('at', 'document_id').as('part'))
    })
    const [first, ...others] = parts
    if (first === undefined) return []
    const union = first.unionAll(others).as('matches')
    return read(await newestFirst(this.database.query.distinct('at', 'document_id').from(union)).limit(limit))
  }

  /** Documents with any word that begins so, newest first; reads all of them. */
  async newestOfRange(list: string, beginning: string, window: WordWindow, limit: number): Promise<TimelineItem[]> {
    return read(await newestFirst(this.#range(list, beginning, window).distinct('at', 'document_id')).limit(limit))
  }

  async #total(words: Knex.QueryBuilder): Promise<number> {
    const row: { total?: number | string } | undefined = await this.database.query
      .count({ total: '*' })
      .from(words.as('some'))
      .first()
    return Number(row?.total ?? 0)
  }

  #range(list: string, beginning: string, window: WordWindow) {
    const all = this.database.query(TABLE).where({ list })
    return within(all.andWhere('word', '>=', beginning).andWhere('word', '<', beginning + HIGHEST), window)
  }
}

function within(query: Knex.QueryBuilder, { from, until, after }: WordWindow): Knex.QueryBuilder {
  const inside = query.andWhere('at', '>=', from)
  if (after === undefined) return inside.andWhere('at', '<', until)
  return inside
    .andWhere('at', '<=', after.at)
    .andWhere((rest) => rest.where('at', '<', after.at).orWhere('document_id', '<', after.item))
}

const newestFirst = (query: Knex.QueryBuilder) =>
  query.orderBy([
    { column: 'at', order: 'desc' },
    { column: 'document_id', order: 'desc' },
  ])

const read = (rows: { at: number | string; document_id: string }[]): TimelineItem[] =>
  rows.map(({ at, document_id: item }) => ({ at: Number(at), item }))
