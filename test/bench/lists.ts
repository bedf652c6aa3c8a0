import { type Caller, ListDocuments, type ListDocumentsQuery, type Registry } from '@signed-registry/core'
import { openDatabase } from '../../core/dist/database/open.js'
import { closeDatabases, openMariaDb, openSqlite } from '../support/databases.js'
import { addManyDocuments, type ManyDocuments, timeOf } from '../support/many-documents.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { testRegistry } from '../support/registry.js'

const FEW = 1000
const MANY = Number(process.env.LISTS ?? 1_000_000)
const YEAR = 365 * 24 * 3600_000
const ROUNDS = 60
const FIRST_HEAD = '1.2.398.3.3.4.1.2.1'

/** Pages of lists and searches: an organization with very many documents against one with a thousand. */
export async function run(): Promise<void> {
  await measure('SQLite', await openSqlite())
  if (mariaDbProgram === undefined) console.log('MariaDB is not installed: its half is left out')
  else await measure('MariaDB', await openMariaDb())
  await closeDatabases()
}

const organization = (bin: string, count: number): ManyDocuments => ({
  bin,
  iin: 'IIN900101300010',
  count,
  from: Date.now() - YEAR,
  step: Math.floor(YEAR / count) - 1,
})

async function measure(name: string, url: string): Promise<void> {
  const [few, many] = [organization('BIN000000000001', FEW), organization('BIN000000000002', MANY)]
  const knex = openDatabase(url)
  const { registry } = await testRegistry(knex, { clock: { time: Date.now(), now: () => Date.now() } })
  for (const one of [few, many]) {
    await addManyDocuments(knex, one, (done) => process.stderr.write(`\r${name}: ${done} of ${one.count} documents `))
  }
  process.stderr.write('\n')
  if (knex.client.dialect === 'mysql') {
    await knex.raw('analyze table registry_documents, registry_timelines, registry_document_words')
  }
  console.log(`\n${name}: milliseconds for ${MANY} documents against ${FEW} (medians), and their ratio; aim 1.5`)
  const pages: [string, (of: ManyDocuments) => ListDocumentsQuery][] = [
    ['first page', () => ({})],
    ['page 1,000 (against the first)', pageThousand],
    ['first page of a search, a word of all', () => ({ searchQuery: 'договор' })],
    ['page 1,000 of it (against the first)', (of) => ({ searchQuery: 'договор', ...pageThousand(of) })],
    ['a word of a hundred', () => ({ searchQuery: 'редкий' })],
    ['two words, one of them rare', () => ({ searchQuery: 'договор редкий' })],
    ['a word of one', (of) => ({ searchQuery: `номер${of.count - 1}` })],
  ]
  for (const [page, query] of pages) {
    const [slow, fast] = await medians(registry, [many, few], query)
    console.log(`  ${page.padEnd(40)} ${slow.toFixed(2)} / ${fast.toFixed(2)} = ${(slow / fast).toFixed(2)}`)
  }
  await registry.close()
  await knex.destroy()
}

/** Where page 1,000 begins; an organization of a thousand documents has none, so its first page stands in. */
const pageThousand = (of: ManyDocuments): ListDocumentsQuery =>
  of.count <= FEW ? {} : { until: timeOf(of, of.count - Math.min(99_900, of.count - FEW)) }

/** Medians of calls that take turns, so that a busy machine slows both alike. */
async function medians(
  registry: Registry,
  organizations: readonly [ManyDocuments, ManyDocuments],
  query: (of: ManyDocuments) => ListDocumentsQuery,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  const list = registry.get(ListDocuments)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const at of [0, 1] as const) {
      const of = organizations[at]
      const head: Caller = { kind: 'employee', iin: of.iin, bin: of.bin, authorities: [FIRST_HEAD] }
      const begun = performance.now()
      await list.execute(head, { organization: true, ...query(of) })
      times[at].push(performance.now() - begun)
    }
  }
  return [median(times[0]), median(times[1])]
}

const median = (numbers: number[]): number =>
  numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
