import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { closeDatabases } from '../support/databases.js'
import { type HostProcess, startHostProcess } from '../support/host-process.js'
import { type MariaDb, mariaDbProgram, startMariaDb } from '../support/mariadb.js'
import { childrenOf, connectionsTo, processorSecondsOfAll } from '../support/process-figures.js'
import { KeptLoad, requestBytes } from './http-load.js'
import { median } from './interleave.js'
import { signedRequests } from './registrations.js'
import { printRow } from './row.js'

const ROUNDS = 7
const CALLS = { reads: 1500, registrations: 400 }
/** Before anything is measured, for each process: it compiles for itself. In turns, as a host closes connections that say nothing. */
const WARM_UP = { reads: 12_000, registrations: 3000 }
/** `twice` has as many callers for each of its two workers as the others have in all. */
const WAYS = {
  one: { workers: 1, hosts: 1, connections: 32 },
  two: { workers: 2, hosts: 1, connections: 32 },
  byHand: { workers: 1, hosts: 2, connections: 32 },
  twice: { workers: 2, hosts: 1, connections: 64 },
} as const
const WARM_UP_TURNS = 10
type Way = keyof typeof WAYS
const NAMES: Readonly<Record<Way, string>> = {
  one: 'one process',
  two: 'two workers',
  byHand: 'two hosts, one process each',
  twice: 'two workers with twice the callers',
}

interface Round {
  readonly seconds: number
  readonly processor: number
  readonly commits: number
  /** Connections of each process when it began. */
  readonly shares: string
}

/** Hosts on one database, and what their rounds took. */
interface Measured {
  readonly way: Way
  readonly hosts: readonly HostProcess[]
  readonly urls: readonly string[]
  readonly rounds: Round[]
}

/**
 * What two processes do a second, what a request costs of processor time, and how many registrations share a commit, against one
 * process, on MariaDB that flushes every commit.
 */
export async function run(): Promise<void> {
  if (mariaDbProgram === undefined) return console.log('MariaDB is not installed: nothing is measured')
  const server = await startMariaDb({ durable: true })
  const folder = await mkdtemp(join(tmpdir(), 'registry-workers-'))
  const ways: Measured[] = []
  for (const way of Object.keys(WAYS) as Way[]) ways.push(await startWay(way, folder, server))
  const authorities = join(folder, 'dev-authorities')
  // Each way has a database of its own, and registers the same.
  const all = signedRequests('/api', authorities, 2 * WARM_UP.registrations + CALLS.registrations * ROUNDS, 4)
  await measure('registrations', ways, server, async () => {
    const left = [...all]
    return (count) => left.splice(0, count)
  })
  await measure('reads', ways, server, async ({ urls: [url = ''] }) => {
    const [registration] = signedRequests('/api', authorities, 1, 1)
    const body = String(registration).split('\r\n\r\n')[1] ?? ''
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api`, { method: 'POST', headers, body })
    const { documentId } = (await answer.json()) as { documentId: string }
    const read = requestBytes('GET', `/api/${documentId}`)
    return (count) => Array.from({ length: count }, () => read)
  })
  await Promise.all(ways.flatMap(({ hosts }) => hosts.map((host) => host.end('SIGTERM'))))
  await closeDatabases()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

const processesOf = (way: Way): number => WAYS[way].workers * WAYS[way].hosts

async function startWay(way: Way, folder: string, server: MariaDb): Promise<Measured> {
  const { workers, hosts: count } = WAYS[way]
  const env = { DATA_DIR: folder, DATABASE_URL: await server.createDatabase(), WORKERS: String(workers) }
  const [hosts, urls]: [HostProcess[], string[]] = [[], []]
  for (let n = 0; n < count; n += 1) {
    const host = startHostProcess(env)
    hosts.push(host)
    urls.push(await host.url)
  }
  return { way, hosts, urls, rounds: [] }
}

async function measure(
  what: keyof typeof CALLS,
  all: readonly Measured[],
  server: MariaDb,
  requestsOf: (measured: Measured) => Promise<(count: number) => Buffer[]>,
): Promise<void> {
  const next = new Map<Measured, (count: number) => Buffer[]>()
  const kept = new Map<Measured, KeptLoad>()
  for (const measured of all) {
    measured.rounds.length = 0
    const requests = await requestsOf(measured)
    next.set(measured, requests)
    kept.set(measured, await KeptLoad.open(measured.urls, WAYS[measured.way].connections))
  }
  for (let turn = 0; turn < WARM_UP_TURNS; turn += 1)
    for (const measured of all) {
      const count = (WARM_UP[what] * processesOf(measured.way)) / WARM_UP_TURNS
      await kept.get(measured)?.send(next.get(measured)?.(count) ?? [])
    }
  const database = await mysql.createConnection({ socketPath: server.socket, user: 'root' })
  const commits = async (): Promise<number> => {
    const [[row]] = await database.query<mysql.RowDataPacket[]>("show global status like 'Com_commit'")
    return Number(row?.Value)
  }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const measured of all) {
      const requests = next.get(measured)?.(CALLS[what]) ?? []
      const processor = () => measured.hosts.reduce((sum, host) => sum + processorSecondsOfAll(host), 0)
      const [shares, processorBefore, commitsBefore] = [sharesOf(measured), processor(), await commits()]
      const seconds = (await kept.get(measured)?.send(requests)) ?? 0
      const taken = { processor: processor() - processorBefore, commits: (await commits()) - commitsBefore }
      measured.rounds.push({ seconds, ...taken, shares })
    }
  for (const connections of kept.values()) connections.close()
  await database.end()
  print(what, all)
}

/** How many connections each process has, of the callers: such as 16/16. */
function sharesOf({ way, hosts, urls }: Measured): string {
  const shares = hosts.flatMap(({ child }, at) => {
    const pids = WAYS[way].workers === 1 ? [Number(child.pid)] : childrenOf(child.pid)
    return connectionsTo(new URL(urls[at] ?? '').port, pids)
  })
  return shares.join('/')
}

function print(what: keyof typeof CALLS, [one, ...others]: readonly Measured[]): void {
  if (one === undefined) throw new Error('There is nothing to compare with')
  const about = ({ rounds }: Measured) => {
    const cost = (1e6 * rounds.reduce((sum, { processor }) => sum + processor, 0)) / (ROUNDS * CALLS[what])
    const size = (ROUNDS * CALLS[what]) / rounds.reduce((sum, { commits }) => sum + commits, 0)
    const rate = CALLS[what] / median(rounds.map(({ seconds }) => seconds))
    const commit = what === 'registrations' ? `, ${size.toFixed(1)} in a commit` : ''
    return { cost, text: `${rate.toFixed(0)}/s, ${cost.toFixed(0)} us of processor time${commit}` }
  }
  for (const other of others) {
    const [floor, name] = [NAMES.one, NAMES[other.way]]
    const ratios = other.rounds.map(({ seconds }, round) => (one.rounds[round]?.seconds ?? 0) / seconds)
    printRow({ what: `${what} a second, ${name}`, floor, ratios, figures: `${about(one).text}; ${about(other).text}` })
    const costs = other.rounds.map(({ processor }, round) => processor / (one.rounds[round]?.processor ?? 0))
    const figures = `connections ${other.rounds.map(({ shares }) => shares).join(', ')}`
    printRow({ what: `processor time of one of the ${what}, ${name}`, floor, ratios: costs, aim: '<= 1.1', figures })
  }
}
