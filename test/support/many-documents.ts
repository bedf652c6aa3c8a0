import type { Knex } from 'knex'
import { organizationList, personalList } from '../../core/dist/documents/document-lists.js'

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

/** Words of the n-th document: one that all have, one of a thousand kinds, one of a hundred documents, one of its own. */
export const wordsOfNth = (n: number, count: number): string[] => [
  'договор',
  `проект${n % 1000}`,
  ...(n % Math.ceil(count / 100) === 0 ? ['редкий'] : []),
  `номер${n}`,
]

/** Fills the tables as that many registrations would have; tells how far it is. */
export async function addManyDocuments(knex: Knex, many: ManyDocuments, progress: (done: number) => void = () => {}) {
  const lists = [organizationList(many.bin), personalList(many.iin, many.bin)]
  for (let start = 0; start < many.count; start += DOCUMENTS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(DOCUMENTS_AT_ONCE, many.count - start) }, (_, i) => start + i)
    await knex.transaction(async (trx) => {
      await insert(
        trx,
        'registry_documents',
        numbers.map((n) => documentRow(many, n)),
      )
      for (const list of lists) {
        await insert(
          trx,
          'registry_timelines',
          numbers.map((n) => ({ list, at: timeOf(many, n), item: idOf(many, n) })),
        )
      }
      const words = numbers.flatMap((n) => wordsOfNth(n, many.count).map((word) => ({ word, n })))
      const rows = words.map(({ word, n }) => ({
        list: lists[0],
        word,
        at: timeOf(many, n),
        document_id: idOf(many, n),
      }))
      await insert(trx, 'registry_document_words', rows)
    })
    progress(start + numbers.length)
  }
}

export const timeOf = ({ from, step }: ManyDocuments, n: number): number => from + n * step

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
  signatures_total: 1,
  preregistered: false,
  search_words: JSON.stringify(wordsOfNth(n, many.count)),
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
