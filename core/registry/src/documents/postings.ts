import type { Knex } from 'knex'
import { Database } from '../database/database.js'
import type { TimelineItem, TimelineWindow } from '../database/timeline.js'
import type { Injected } from '../kernel/service.js'
import { isInside, mayBeInNumber } from './word-index.js'

const TEXTS = 'registry_search_texts'
/** The upper bound of prefix ranges: above every character of a word. */
const MAX_CHARACTER = '\u{10ffff}'

/** Documents that stand in any of some lists, or have any of some words: newest first in the database. */
export interface Postings {
  readonly in: 'lists' | 'words'
  readonly any: readonly string[]
}
const TABLES = {
  lists: { name: 'registry_timelines', key: 'list', item: 'item' },
  words: { name: 'registry_search_words', key: 'word', item: 'document_id' },
}

/** What a document has to be: among all of these postings, with these texts inside its words, and not among all of `not`. */
export interface Conditions {
  readonly among: readonly Postings[]
  readonly inside: readonly string[]
  readonly not: readonly Postings[]
}

/** The result of one read: the matches of whole milliseconds, newest first, and before which time to read on. */
export interface Batch {
  readonly matches: readonly TimelineItem[]
  readonly until: number
}

/** Reads lists and words for searches, each in steps of a bounded number of rows. */
export class PostingsReader {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof PostingsReader.inject>) {}

  /** The words that contain a text; `undefined` if there are more than `most`. */
  async wordsWith(term: string, most: number): Promise<string[] | undefined> {
    // A word may contain it more than once.
    const limit = 2 * most
    const found: string[] = await this.use.database.read((query) =>
      query('registry_search_endings')
        .where('ending', '>=', term)
        .andWhere('ending', '<', term + MAX_CHARACTER)
        .orderBy(['ending', 'word'])
        .limit(limit)
        .pluck('word'),
    )
    const words = [...new Set(found)]
    return found.length < limit && words.length <= most ? words : undefined
  }

  /** Those of some terms that are words of documents. */
  async known(terms: readonly string[]): Promise<ReadonlySet<string>> {
    const found: string[] = await this.use.database.read((query) =>
      query('registry_search_endings').whereIn('ending', terms).andWhere('word', query.ref('ending')).pluck('word'),
    )
    return new Set(found)
  }

  /** The number of entries in the window, at most `most`. */
  async count({ in: where, any }: Postings, window: TimelineWindow, most: number): Promise<number> {
    const { name, key } = TABLES[where]
    const row: { total?: number | string } | undefined = await this.use.database.read((query) => {
      const some = within(query(name).whereIn(key, any), window).select(key).limit(most)
      return query.count({ total: '*' }).from(some.as('some')).first()
    })
    return Number(row?.total ?? 0)
  }

  /** How far back `size` entries of each reach: the postings that reach farthest have the fewest documents here. */
  async reach(postings: readonly Postings[], window: TimelineWindow, size: number): Promise<number[]> {
    const parts = (query: Knex) =>
      postings.flatMap(({ in: where, any }, index) =>
        any.map((one) => {
          const { name, key, item } = TABLES[where]
          const last = newestFirst(within(query(name).where(key, one), window), item)
          const part = last.offset(Math.ceil(size / any.length) - 1).limit(1)
          return query.select('*').from(part.select(query.raw('? as n', [index]), 'at').as('part'))
        }),
      )
    const reached = postings.map(() => window.from)
    const rows: { n: number | string; at: number | string }[] = await this.use.database.read((query) =>
      allOf(parts(query)),
    )
    for (const { n, at } of rows) reached[Number(n)] = Math.max(reached[Number(n)] ?? 0, Number(at))
    return reached
  }

  /** Reads about `size` entries of postings, as far back as each of them was read; more where a millisecond has more. */
  async read(driver: Postings, conditions: Conditions, window: TimelineWindow, size: number): Promise<Batch> {
    const { name, key, item } = TABLES[driver.in]
    const each = Math.ceil(size / driver.any.length)
    const rows = await this.use.database.read((query) => {
      const parts = driver.any.map((one) => {
        const part = newestFirst(within(query(name).where(key, one), window), item).limit(each)
        return query.select('*').from(part.select(`${key} as source`, 'at', `${item} as item`).as('some'))
      })
      return judged(query, allOf(parts), conditions)
    })
    const read = new Map<string, Judged[]>(driver.any.map((one) => [one, []]))
    for (const row of rows) read.get(row.source)?.push(row)
    const unfinished = [...read.values()].filter((some) => some.length >= each)
    const until = Math.max(window.from, ...unfinished.map((some) => (some.at(-1)?.at ?? 0) + 1))
    if (until >= window.until) return this.read(driver, conditions, window, 2 * size)
    return { matches: await this.confirmed(distinct(rows, until), conditions.inside), until }
  }

  /** Numbers are found by their beginnings alone, which SQL has not looked at. */
  private async confirmed(matches: readonly TimelineItem[], terms: readonly string[]): Promise<TimelineItem[]> {
    const unsure = terms.filter(mayBeInNumber)
    if (unsure.length === 0 || matches.length === 0) return [...matches]
    const words = new Map<string, string>()
    const ids = matches.map(({ item }) => item)
    const texts: { document_id: string; words: string }[] = await this.use.database.read((query) =>
      query(TEXTS).whereIn('document_id', ids).select('document_id', 'words'),
    )
    for (const { document_id, words: some } of texts) words.set(document_id, `${words.get(document_id) ?? ''} ${some}`)
    return matches.filter(({ item }) => {
      const all = words.get(item)?.split(' ') ?? []
      return unsure.every((term) => all.some((word) => isInside(term, word)))
    })
  }
}

interface Judged extends TimelineItem {
  readonly source: string
  readonly found: boolean
}

async function judged(query: Knex, part: Knex.QueryBuilder, { among, inside, not }: Conditions): Promise<Judged[]> {
  const conditions = [...among.map(isAmong), ...inside.map(contains), ...(not.length > 0 ? [isNotAmong(not)] : [])]
  const found = query.raw(
    conditions.length === 0 ? '1 as found' : `(${conditions.map(({ sql }) => sql).join(' and ')}) as found`,
    conditions.flatMap(({ bindings }) => bindings),
  )
  const rows: { source: string; at: number | string; item: string; found: number | string }[] = await newestFirst(
    query.from(part.as('part')),
  ).select('part.*', found)
  return rows.map(({ source, at, item, found }) => ({ source, at: Number(at), item, found: Number(found) === 1 }))
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

function isAmong({ in: where, any }: Postings): Condition {
  const { name, key, item } = TABLES[where]
  const one = `exists (select 1 from ${name} as p where p.${key} = ? and p.at = part.at and p.${item} = part.item)`
  return { sql: `(${any.map(() => one).join(' or ')})`, bindings: any }
}

function isNotAmong(all: readonly Postings[]): Condition {
  const conditions = all.map(isAmong)
  return {
    sql: `not (${conditions.map(({ sql }) => sql).join(' and ')})`,
    bindings: conditions.flatMap(({ bindings }) => bindings),
  }
}

function allOf(parts: readonly Knex.QueryBuilder[]): Knex.QueryBuilder {
  const [first, ...others] = parts
  if (first === undefined) throw new TypeError('Nothing is read')
  return first.unionAll(others)
}

const within = (query: Knex.QueryBuilder, { from, until }: TimelineWindow): Knex.QueryBuilder =>
  query.andWhere('at', '>=', from).andWhere('at', '<', until)

const newestFirst = (query: Knex.QueryBuilder, item = 'item') =>
  query.orderBy([
    { column: 'at', order: 'desc' },
    { column: item, order: 'desc' },
  ])

/** The matches from a time on, each once: it may have been read from several lists or words. */
function distinct(rows: readonly Judged[], from: number): TimelineItem[] {
  const found = rows.filter((row) => row.found && row.at >= from).map(({ at, item }) => [item, { at, item }] as const)
  return [...new Map(found).values()]
}
