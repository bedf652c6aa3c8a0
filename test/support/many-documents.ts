import type { Knex } from 'knex'
import { organizationList, partOf, personalList } from '#core/documents/document-lists.js'
import { endingsOf } from '#core/documents/word-index.js'

const ROWS_AT_ONCE = 500
const DOCUMENTS_AT_ONCE = 10_000

/** Documents of one organization, all signed by one employee, made by SQL alone. */
export interface ManyDocuments {
  readonly bin: string
  readonly iin: string
  readonly count: number
  /** Milliseconds of the first document; the others follow at equal steps. */
  readonly from: number
  readonly step: number
}

/** A hundred documents have the rare word. */
export const rareEvery = (count: number): number => Math.ceil(count / 100)

/** Words of the n-th document: one that all have, one of a thousand kinds, one of a hundred documents, one of each half, one of its own. */
const wordsOfNth = (n: number, count: number): string[] => [
  'договор',
  `проект${n % 1000}`,
  ...(n % rareEvery(count) === 0 ? ['редкий'] : []),
  n % 2 === 0 ? 'левый' : 'правый',
  `номер${n}`,
]

/** Fills the tables as that many registrations would have; tells how far it is. */
export async function addManyDocuments(knex: Knex, many: ManyDocuments, progress: (done: number) => void = () => {}) {
  const lists = [organizationList(many.bin), personalList(many.iin, many.bin)]
  const known = new Set<string>(await knex('registry_search_endings').distinct('word').pluck('word'))
  for (let start = 0; start < many.count; start += DOCUMENTS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(DOCUMENTS_AT_ONCE, many.count - start) }, (_, i) => start + i)
    await knex.transaction(async (trx) => {
      await insert(
        trx,
        'registry_documents',
        numbers.map((n) => documentRow(many, n)),
      )
      for (const list of lists) {
        const entries = numbers.map((n) => ({ n, at: timeOf(many, n), item: idOf(many, n) }))
        await insert(
          trx,
          'registry_timelines',
          entries.flatMap(({ n, ...entry }) => [
            { list, ...entry },
            { list: partOf(list, isArchived(n) ? 'archived' : 'hashed'), ...entry },
          ]),
        )
      }
      const found = numbers.map((n) => ({ id: idOf(many, n), at: timeOf(many, n), words: wordsOfNth(n, many.count) }))
      const texts = found.map(({ id, words }) => ({ document_id: id, part: 0, words: words.join(' ') }))
      const words = found.flatMap(({ id, at, words }) => words.map((word) => ({ word, at, document_id: id })))
      const fresh = [...new Set(words.map(({ word }) => word))].filter((word) => !known.has(word))
      for (const word of fresh) known.add(word)
      const endings = fresh.flatMap((word) => endingsOf(word).map((ending) => ({ ending, word })))
      await insert(trx, 'registry_search_texts', texts)
      await insert(trx, 'registry_search_words', words)
      await insert(trx, 'registry_search_endings', endings)
      await insert(
        trx,
        'registry_originals',
        numbers.filter(isArchived).map((n) => ({
          object_key: `${many.bin.slice(-4)}${n.toString(16).padStart(28, '0')}`,
          document_id: idOf(many, n),
          state: 'stored',
          size: 1,
          archived_at: timeOf(many, n),
        })),
      )
    })
    progress(start + numbers.length)
  }
}

/** The marks that registrations would have set in a list with so many of all documents: they are put in by SQL alone. */
export async function addMarks(knex: Knex, list: string, many: ManyDocuments, share = 1): Promise<void> {
  const marks = Array.from({ length: Math.ceil(many.count / 1000) }, (_, mark) => ({
    list,
    at: mark === 0 ? 0 : timeOf(many, mark * 1000),
    items_before: Math.round(mark * 1000 * share),
  }))
  await insert(knex, 'registry_timeline_marks', marks)
}

export const timeOf = ({ from, step }: ManyDocuments, n: number): number => from + n * step

/** All but one of ten. */
const isArchived = (n: number): boolean => n % 10 !== 0

const idOf = ({ bin }: ManyDocuments, n: number): string => `${bin.slice(-4)}${String(n).padStart(12, '0')}`

const documentRow = (many: ManyDocuments, n: number) => ({
  id: idOf(many, n),
  stored_at: timeOf(many, n),
  title: `Договор ${n}.pdf`,
  description: '',
  signed_data_size: 1000,
  digests_fixed_at: timeOf(many, n),
  settings: '{}',
  email_notifications: null,
  signatures_total: 0,
  preregistered: false,
})

/** Inserts many rows of the same columns. */
export async function insert(
  trx: Knex,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const row = `(${columns.map(() => '?').join(',')})`
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE)
    const values = some.flatMap((one) => columns.map((column) => one[column] ?? null))
    const sql = `insert into ${table} (${columns.join(',')}) values ${some.map(() => row).join(',')}`
    await trx.raw(sql, values as Knex.RawBinding[])
  }
}
