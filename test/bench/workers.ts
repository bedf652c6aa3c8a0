import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeDatabases } from '../support/databases.js'
import { type HostProcess, startHostProcess } from '../support/host-process.js'
import { mariaDbProgram, startMariaDb } from '../support/mariadb.js'
import { processorSecondsOfAll } from '../support/process-figures.js'
import { load, requestBytes } from './http-load.js'
import { median } from './interleave.js'
import { signedRequests } from './registrations.js'
import { printRow } from './row.js'

const CONNECTIONS = 32
const ROUNDS = 7
const CALLS = { reads: 1500, registrations: 400 }
/** Before anything is measured: each worker compiles for itself. */
const WARM_UP = { reads: 12_000, registrations: 3000 }
const WORKERS = [1, 2] as const

/** A host with so many workers, and what its rounds took. */
interface Measured {
  readonly workers: number
  readonly host: HostProcess
  readonly url: string
  readonly seconds: number[]
  processor: number
}

/** What two workers do a second, and what a request costs of processor time, against one process, on MariaDB that flushes every commit. */
export async function run(): Promise<void> {
  if (mariaDbProgram === undefined) return console.log('MariaDB is not installed: nothing is measured')
  const server = await startMariaDb({ durable: true })
  const folder = await mkdtemp(join(tmpdir(), 'registry-workers-'))
  const hosts: Measured[] = []
  for (const workers of WORKERS) {
    const environment = { DATA_DIR: folder, DATABASE_URL: await server.createDatabase(), WORKERS: String(workers) }
    const host = startHostProcess(environment)
    hosts.push({ workers, host, url: await host.url, seconds: [], processor: 0 })
  }
  const authorities = join(folder, 'dev-authorities')
  const all = WORKERS.reduce((sum, workers) => sum + WARM_UP.registrations * workers + CALLS.registrations * ROUNDS, 0)
  const registrations = signedRequests('/api', authorities, all, 4)
  await measure('registrations', hosts, async () => (count) => registrations.splice(0, count))
  await measure('reads', hosts, async ({ url }) => {
    const [registration] = signedRequests('/api', authorities, 1, 1)
    const body = String(registration).split('\r\n\r\n')[1] ?? ''
    const answer = await fetch(`${url}/api`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const answered = (await answer.json()) as { documentId: string }
    const read = requestBytes('GET', `/api/${answered.documentId}`)
    return (count) => Array.from({ length: count }, () => read)
  })
  await Promise.all(hosts.map(({ host }) => host.end('SIGTERM')))
  await closeDatabases()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(
  what: keyof typeof CALLS,
  hosts: readonly Measured[],
  requestsOf: (host: Measured) => Promise<(count: number) => Buffer[]>,
): Promise<void> {
  const next = new Map<Measured, (count: number) => Buffer[]>()
  for (const host of hosts) {
    host.seconds.length = 0
    host.processor = 0
    const requests = await requestsOf(host)
    next.set(host, requests)
    await load(host.url, requests(WARM_UP[what] * host.workers), CONNECTIONS)
  }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const host of hosts) {
      const requests = next.get(host)?.(CALLS[what]) ?? []
      const before = processorSecondsOfAll(host.host)
      host.seconds.push(await load(host.url, requests, CONNECTIONS))
      host.processor += processorSecondsOfAll(host.host) - before
    }
  const [one, two] = hosts
  if (one === undefined || two === undefined) throw new Error('There are not two hosts')
  const cost = (host: Measured) => Math.round((1e6 * host.processor) / (ROUNDS * CALLS[what]))
  const rate = (host: Measured) => `${(CALLS[what] / median(host.seconds)).toFixed(0)}/s`
  const figures = hosts.map((host) => `${host.workers}: ${rate(host)}, ${cost(host)} us of processor time`).join('; ')
  printRow({
    what: `${what} a second with two workers`,
    floor: 'one process',
    ratios: two.seconds.map((seconds, round) => (one.seconds[round] ?? 0) / seconds),
    figures,
  })
  printRow({
    what: `processor time of one of the ${what}`,
    floor: 'one process',
    ratios: [cost(two) / cost(one)],
    aim: '<= 1.1',
  })
}
