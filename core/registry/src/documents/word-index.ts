import { Database } from '../database/database.js'
import type { NewRow } from '../database/table.js'
import type { TimelineItem } from '../database/timeline.js'
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

/** An IIN or BIN, with its prefix or without, or the number of a certificate or a document. */
const NUMBER = /^(?:iin|bin)?(\d{8,})$/

/**
 * The word and its suffixes of at least two characters: every substring of the word is a prefix of one of them. Numbers are
 * found whole or by their beginnings only.
 */
export function endingsOf(word: string): string[] {
  const number = NUMBER.exec(word)?.[1]
  if (number !== undefined) return [...new Set([word, number])]
  const characters = [...word]
  const starts = characters.map((_, start) => start).slice(0, Math.max(1, characters.length - SHORTEST_ENDING + 1))
  return [...new Set(starts.map((start) => characters.slice(start).join('')))]
}

/** Whether a search for a term finds a word. */
export const isInside = (term: string, word: string): boolean =>
  NUMBER.test(word) ? endingsOf(word).some((ending) => ending.startsWith(term)) : word.includes(term)

/** Whether a number may have the term inside, where it is not found. */
export const mayBeInNumber = (term: string): boolean => /^[bi]?i?n?\d*$/.test(term)

const TEXTS = 'registry_search_texts'
const WORDS = 'registry_search_words'
const ENDINGS = 'registry_search_endings'
const ROWS_AT_ONCE = 250
/** Words in the cache of those that are in the database already. */
const MAX_CACHED = 50_000

/** New search words of a document. */
interface DocumentWords extends TimelineItem {
  /** 0 for those of its registration; each later signature has its own part. */
  readonly part: number
  readonly words: readonly string[]
}

/** Keeps the words of documents, once for all lists of a document. */
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
}
