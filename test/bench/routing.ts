import type { Registry } from '@signed-registry/core'
import type { ItemListQuery } from '@signed-registry/core/routing'

import { ListIncoming, ListOutgoing } from '@signed-registry/core/routing'
import type { Knex } from 'knex'
import { openDatabase } from '#core/database/open.js'
import { listName } from '#core/routing/move-items.js'
import { headCaller, registryWithoutAuthorities } from '../support/core-registry.js'
import { closeDatabases, openMariaDb, openSqlite } from '../support/databases.js'
import { insert } from '../support/many-documents.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const FEW = 1000
const MANY = Number(process.env.ITEMS ?? 100_000)
const YEAR = 365 * 24 * 3600_000
const ROUNDS = 60
const AT_ONCE = 10_000
const STATUSES = ['new', 'accepted', 'denied'] as const

/** An organization that received many items, all from the same sender. */
interface Receiver {
  readonly bin: string
  readonly sender: string
  readonly count: number
}
const few: Receiver = { bin: 'BIN000000000001', sender: 'BIN000000000011', count: FEW }
const many: Receiver = { bin: 'BIN000000000002', sender: 'BIN000000000012', count: MANY }

/** Lists of incoming and outgoing items: an organization with very many against one with a thousand. */
export async function run(): Promise<void> {
  await measure('SQLite', await openSqlite())
  if (mariaDbProgram === undefined) console.log('MariaDB is not installed: its half is left out')
  else await measure('MariaDB', await openMariaDb())
  await closeDatabases()
}

const timeOf = ({ count }: Receiver, n: number): number => Date.now() - YEAR + n * Math.floor(YEAR / count)
const statusOf = (n: number) => STATUSES[n % STATUSES.length]

/** Fills the tables as that many deliveries would have. */
async function addItems(knex: Knex, of: Receiver): Promise<void> {
  for (let start = 0; start < of.count; start += AT_ONCE) {
    const items = Array.from({ length: Math.min(AT_ONCE, of.count - start) }, (_, i) => {
      const n = start + i
      return { n, id: `${of.bin.slice(-4)}${String(n).padStart(12, '0')}`, at: timeOf(of, n), status: statusOf(n) }
    })
    await knex.transaction(async (trx) => {
      const rows = items.map(({ id, at, status }) => ({
        id,
        subject_kind: 'document',
        subject_id: id,
        sender: of.sender,
        receiver: of.bin,
        status,
        sent_at: at,
        delivered_at: at,
        failure: null,
        comments_count: 0,
      }))
      await insert(trx, 'registry_routing_items', rows)
      const places = items.flatMap(({ id, at, status }) =>
        [undefined, status].flatMap((one) => [
          { list: listName('incoming', of.bin, one), at, item: id },
          { list: listName('outgoing', of.sender, one), at, item: id },
        ]),
      )
      await insert(trx, 'registry_timelines', places)
    })
  }
}

async function measure(name: string, url: string): Promise<void> {
  const knex = openDatabase(url)
  const registry = await registryWithoutAuthorities(knex, { clock: { now: () => Date.now() } })
  for (const one of [few, many]) await addItems(knex, one)
  if (knex.client.dialect === 'mysql') await knex.raw('analyze table registry_routing_items, registry_timelines')
  console.log(`${name}: ${MANY} items against ${FEW}`)
  const halfWay = (of: Receiver) => ({ until: timeOf(of, Math.floor(of.count / 2)) })
  await print(registry, 'incoming, first page', 'incoming', () => ({}))
  await print(registry, 'incoming, a page in the middle', 'incoming', halfWay)
  await print(registry, 'incoming, accepted', 'incoming', () => ({ status: 'accepted' }))
  await print(registry, 'outgoing, first page', 'outgoing', () => ({}))
  await print(registry, 'outgoing, new, in the middle', 'outgoing', (of) => ({ status: 'new', ...halfWay(of) }))
  await registry.close()
  await knex.destroy()
}

/** Prints medians of calls that take turns, so that a busy machine slows both alike. */
async function print(
  registry: Registry,
  what: string,
  side: 'incoming' | 'outgoing',
  query: (of: Receiver) => ItemListQuery,
): Promise<void> {
  const list = side === 'incoming' ? registry.get(ListIncoming) : registry.get(ListOutgoing)
  const costs = [many, few].map((of) => {
    const head = headCaller({ bin: side === 'incoming' ? of.bin : of.sender })
    return { times: [] as number[], ask: () => list.execute(head, { query: query(of) }) }
  })
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { times, ask } of costs) {
      const begun = performance.now()
      await ask()
      times.push(performance.now() - begun)
    }
  }
  const [slow = [], fast = []] = costs.map(({ times }) => times)
  printRow({
    what,
    floor: 'what it takes with few',
    ratios: slow.map((time, at) => time / (fast[at] ?? Number.NaN)),
    aim: '<= 1.5',
    figures: `${median(slow).toFixed(2)} against ${median(fast).toFixed(2)} ms`,
  })
}
