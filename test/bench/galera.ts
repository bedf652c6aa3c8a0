import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { galeraIsInstalled, startGalera } from '../support/galera.js'
import { type HostProcess, startHostProcess } from '../support/host-process.js'
import { processorSeconds } from '../support/process-figures.js'
import { load, requestBytes } from './http-load.js'
import { median } from './interleave.js'
import { signedRequests } from './registrations.js'
import { printRow } from './row.js'

const MAIN = fileURLToPath(import.meta.resolve('#host/main.js'))
const WITHOUT_WAIT = fileURLToPath(import.meta.resolve('./without-wait.js'))
const CONNECTIONS = 16
const ROUNDS = 7
const CALLS = { registrations: 120, reads: 600 }
/** Of each host, which compiles for itself. */
const WARM_UP = 2500

/** Of which hosts without callers are watched. */
const IDLE_SECONDS = 10

interface Variant {
  readonly hosts: readonly HostProcess[]
  readonly urls: readonly string[]
  /** How many call each host; as many as call one alone unless given. */
  readonly callers?: number
}

/**
 * What waiting for the commits of other nodes costs, and what three hosts cost against one, on a healthy cluster of three
 * nodes: with as many callers of each as one has, with a third of them, and with none.
 */
export async function run(): Promise<void> {
  if (!galeraIsInstalled) return console.log('Galera is not installed: nothing is measured')
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-galera-'))
  const galera = await startGalera()
  const start = async (data: string, databases: readonly string[], program?: readonly string[]): Promise<Variant> => {
    const hosts: HostProcess[] = []
    const urls: string[] = []
    for (const DATABASE_URL of databases) {
      const host = startHostProcess(
        { DATABASE_URL, DATA_DIR: join(folder, data), CONNECTIONS_PER_ADDRESS: '0' },
        program,
      )
      hosts.push(host)
      urls.push(await host.url)
    }
    return { hosts, urls }
  }
  const [first] = await galera.createDatabase()
  const waiting = await start('one', [first])
  // At the same database, as its reads are compared.
  const notWaiting = await start('one', [first], ['--import', WITHOUT_WAIT, MAIN])
  const three = await start('three', await galera.createDatabase())
  const variants = [waiting, notWaiting, three, { ...three, callers: Math.ceil(CONNECTIONS / three.urls.length) }]
  const hosts = [waiting, notWaiting, three].flatMap((variant) => variant.hosts)
  const count = WARM_UP * hosts.length + sum(variants.map(({ urls }) => urls.length)) * ROUNDS * CALLS.registrations
  const registrations = signedRequests('/api', join(folder, 'one', 'dev-authorities'), count, 4)
  const register = (calls: number) => registrations.splice(0, calls)
  for (const { urls } of [waiting, notWaiting, three])
    for (const url of urls) await load(url, register(WARM_UP), CONNECTIONS)
  const registered = await rounds(variants, ({ urls }) => register(urls.length * CALLS.registrations))
  compare('registrations', registered)
  const [one = [], , ...together] = registered.map(({ processor }) => processor)
  for (const [at, callers] of [CONNECTIONS * three.urls.length, CONNECTIONS].entries()) {
    const each = together[at]?.map((seconds) => seconds / three.urls.length) ?? []
    printRow({
      what: `processor time of a registration at three hosts, each at a node, of ${callers} callers in all`,
      floor: `one host of ${CONNECTIONS}`,
      ratios: each.map((cost, round) => cost / (one[round] ?? 0)),
      aim: '<= 1.2',
      figures: `${perCall(each)} against ${perCall(one)} us`,
    })
  }
  const before = three.hosts.map(processorSeconds)
  await pause(IDLE_SECONDS * 1000)
  const idle = three.hosts.map((host, at) => (1000 * (processorSeconds(host) - (before[at] ?? 0))) / IDLE_SECONDS)
  console.log(`three hosts without callers take ${idle.map(Math.round).join(', ')} ms of processor time a second`)
  const read = requestBytes('GET', `/api/${await aDocument(folder, waiting)}`)
  const reads = Array.from({ length: CALLS.reads }, () => read)
  compare('reads', await rounds([waiting, notWaiting], () => reads))
  for (const host of hosts) await host.end('SIGTERM')
  await galera.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function aDocument(folder: string, { urls }: Variant): Promise<string> {
  const [registration] = signedRequests('/api', join(folder, 'one', 'dev-authorities'), 1, 1)
  const body = String(registration).split('\r\n\r\n')[1] ?? ''
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const answered = (await (await fetch(`${urls[0]}/api`, init)).json()) as { documentId: string }
  return answered.documentId
}

/** Of each round of a variant: seconds that passed, and processor time of its hosts in seconds. */
interface Measured {
  readonly seconds: number[]
  readonly processor: number[]
}

async function rounds(variants: readonly Variant[], requests: (variant: Variant) => Buffer[]): Promise<Measured[]> {
  const measured = variants.map((): Measured => ({ seconds: [], processor: [] }))
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [n, variant] of variants.entries()) {
      const { hosts, urls, callers = CONNECTIONS } = variant
      const all = requests(variant)
      const before = sum(hosts.map(processorSeconds))
      const part = Math.ceil(all.length / urls.length)
      const took = urls.map((url, at) => load(url, all.slice(at * part, (at + 1) * part), callers))
      measured[n]?.seconds.push(Math.max(...(await Promise.all(took))))
      measured[n]?.processor.push(sum(hosts.map(processorSeconds)) - before)
    }
  return measured
}

function compare(what: string, [waiting, notWaiting]: readonly Measured[]): void {
  const ms = (one?: Measured) => (1000 * median(one?.seconds ?? [])).toFixed(0)
  printRow({
    what: `${what}, waiting for what other nodes committed`,
    floor: 'without',
    ratios: (waiting?.seconds ?? []).map((seconds, round) => (notWaiting?.seconds[round] ?? 0) / seconds),
    aim: '>= 0.9',
    figures: `a round takes ${ms(waiting)} against ${ms(notWaiting)} ms`,
  })
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
const perCall = (seconds: readonly number[] = []): number =>
  Math.round((1e6 * sum(seconds)) / (ROUNDS * CALLS.registrations))
