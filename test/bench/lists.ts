import type { Caller, Registry } from '@signed-registry/core'

import { ListDocuments, type ListDocumentsQuery } from '@signed-registry/core/documents'
import { openDatabase } from '#core/database/open.js'
import { organizationList, personalList } from '#core/documents/document-lists.js'
import { closeDatabases, openMariaDb, openSqlite } from '../support/databases.js'
import { addManyDocuments, addMarks, type ManyDocuments, timeOf } from '../support/many-documents.js'
import { addManyDocumentsBySql } from '../support/many-documents-by-sql.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { testRegistry } from '../support/registry.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const FEW = 1000
const MANY = 1_000_000
const FIRST_PAGE_MS = 20
const YEAR = 365 * 24 * 3600_000
const ROUNDS = 60
const SEARCH_MS = 50
/** MariaDB takes hours to be filled with more. */
const MOST_IN_MARIADB = 1_000_000
const FIRST_HEAD = '1.2.398.3.3.4.1.2.1'

/**
 * Pages of lists and searches: an organization with very many documents against one with a thousand; `lists=20000` for so
 * many. Ten million are put into SQLite alone.
 */
export async function run(argument?: string): Promise<void> {
  const count = argument === undefined ? MANY : Number(argument)
  await measure('SQLite', await openSqlite(), count)
  if (mariaDbProgram === undefined) console.log('MariaDB is not installed: its half is left out')
  else await measure('MariaDB', await openMariaDb(), Math.min(count, MOST_IN_MARIADB))
  await closeDatabases()
}

const organization = (bin: string, count: number): ManyDocuments => ({
  bin,
  iin: 'IIN900101300010',
  count,
  from: Date.now() - YEAR,
  step: Math.floor(YEAR / count) - 1,
})

async function measure(name: string, url: string, count: number): Promise<void> {
  const [few, many] = [organization('BIN000000000001', FEW), organization('BIN000000000002', count)]
  const knex = openDatabase(url)
  const { registry } = await testRegistry(knex, { clock: { time: Date.now(), now: () => Date.now() } })
  const progress = (done: number | string) => process.stderr.write(`\r${name}: ${done}${' '.repeat(30)}`)
  await addManyDocuments(knex, few, progress)
  if (knex.client.dialect === 'mysql') {
    await addManyDocuments(knex, many, progress)
    for (const list of [organizationList(many.bin), personalList(many.iin, many.bin)]) await addMarks(knex, list, many)
  } else await addManyDocumentsBySql(knex, many, progress)
  process.stderr.write('\n')
  if (knex.client.dialect === 'mysql') {
    await knex.raw('analyze table registry_documents, registry_timelines, registry_search_texts, registry_search_words')
  }
  console.log(`${name}: ${count} documents against ${FEW}`)
  await firstOfAll(name, registry, many)
  const pages: [string, (of: ManyDocuments) => ListDocumentsQuery][] = [
    ['first page', () => ({})],
    ['page 1,000 (against the first)', pageThousand],
    ['first page of a search, a word of all', () => ({ searchQuery: 'договор' })],
    ['page 1,000 of it (against the first)', (of) => ({ searchQuery: 'договор', ...pageThousand(of) })],
    ['a word of a hundred', () => ({ searchQuery: 'редкий' })],
    ['a part of a hundred words', () => ({ searchQuery: 'едки' })],
    ['the beginning of a word of each', () => ({ searchQuery: 'номе' })],
    ['a part of the words of all', () => ({ searchQuery: 'ов' })],
    ['two words, one of them rare', () => ({ searchQuery: 'договор редкий' })],
    ['a word of one', (of) => ({ searchQuery: `номер${of.count - 1}` })],
  ]
  for (const [what, query] of pages) {
    const [slow, fast] = await times(registry, [many, few], query)
    printRow({
      what: `${name}, ${what}`,
      floor: 'what it takes with few',
      ratios: slow.map((time, at) => time / (fast[at] ?? Number.NaN)),
      aim: '<= 2',
      figures: `${median(slow).toFixed(2)} against ${median(fast).toFixed(2)} ms`,
    })
  }
  await answers(name, registry, many)
  await registry.close()
  await knex.destroy()
}

/** Searches that have much to read: each answers within a time, however long the list, or says that more may match. */
async function answers(name: string, registry: Registry, many: ManyDocuments): Promise<void> {
  const searches: [string, string][] = [
    ['the numbers of one document, each inside many words', 'проект7 номер7'],
    ['two words that half have each, never together', 'левый правый'],
    ['parts of two words that never are together', 'лев прав'],
    ['a word of one document, inside many words', 'номер7'],
    ['a part of very many words', 'омер99'],
    ['a word that nobody has', 'отсутствует договор'],
  ]
  for (const [what, searchQuery] of searches)
    for (const searchCursor of [undefined, '']) {
      const query = { searchQuery, ...(searchCursor !== undefined && { searchCursor }) }
      const { documents, searchCursor: next } = await page(registry, many, query)
      const taken: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) taken.push(await timeOfPage(registry, many, query))
      printRow({
        what: `${name}, ${what}${searchCursor === undefined ? '' : ', words first'}`,
        floor: `${SEARCH_MS} ms`,
        ratios: taken.map((time) => time / SEARCH_MS),
        aim: '<= 1',
        figures: `${median(taken).toFixed(1)} ms, ${documents.length} found${next === undefined ? '' : ' so far'}`,
      })
    }
}

/** Where page 1,000 begins; an organization of a thousand documents has none, so its first page stands in. */
const pageThousand = (of: ManyDocuments): ListDocumentsQuery =>
  of.count <= FEW ? {} : { until: timeOf(of, of.count - Math.min(99_900, of.count - FEW)) }

/** The very first page of a long list that nobody has read, by a registry that has just started. */
async function firstOfAll(name: string, registry: Registry, many: ManyDocuments): Promise<void> {
  const pages: number[] = []
  for (let page = 0; page < ROUNDS; page += 1) pages.push(await timeOfPage(registry, many, {}))
  const [first = Number.NaN, ...later] = pages
  printRow({
    what: `${name}, first page, read for the first time`,
    floor: `${FIRST_PAGE_MS} ms`,
    ratios: [first / FIRST_PAGE_MS],
    aim: '<= 1',
    figures: `${first.toFixed(1)} ms; later ones ${median(later).toFixed(1)} ms`,
  })
}

/** Milliseconds of calls that take turns, so that a busy machine slows both alike. */
async function times(
  registry: Registry,
  organizations: readonly [ManyDocuments, ManyDocuments],
  query: (of: ManyDocuments) => ListDocumentsQuery,
): Promise<[number[], number[]]> {
  const taken: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const at of [0, 1] as const) {
      const of = organizations[at]
      taken[at].push(await timeOfPage(registry, of, query(of)))
    }
  }
  return taken
}

function page(registry: Registry, { iin, bin }: ManyDocuments, query: ListDocumentsQuery) {
  const head: Caller = { kind: 'employee', iin, bin, authorities: [FIRST_HEAD] }
  return registry.get(ListDocuments).execute(head, { query: { organization: true, ...query } })
}

async function timeOfPage(registry: Registry, of: ManyDocuments, query: ListDocumentsQuery): Promise<number> {
  const begun = performance.now()
  await page(registry, of, query)
  return performance.now() - begun
}
