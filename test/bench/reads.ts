import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DevAuthorities, type Subject } from '@signed-registry/dev-authorities'
import type { FastifyInstance } from 'fastify'
import { closeDatabases, type OpenDatabase, openMariaDb, openSqlite } from '../support/databases.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { startHostProcess } from '../support/host-process.js'
import { postBytes, postJson } from '../support/http.js'
import { logInOverHttp } from '../support/login-over-http.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { processorSeconds } from '../support/process-figures.js'
import { load, postRequest, requestBytes } from './http-load.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const ROUNDS = 30
const WARM_UP = 5
const CALLS = 20
const LOAD_ROUNDS = 8
const LOAD_CALLS = 600
/** The compilers of V8 are busy with the code of a read for the first 9,000 of them; both sides warm up alike. */
const LOAD_WARM_UP = 16
const CONNECTIONS = 16
const BARE_HOST = fileURLToPath(new URL('bare-host.js', import.meta.url))

/** What a read of a document costs: against a bare Fastify route with one select, and an authorised one against an anonymous one. */
export async function run(): Promise<void> {
  await measure('SQLite', openSqlite)
  if (mariaDbProgram === undefined) console.log('MariaDB is not installed: its half is left out')
  else await measure('MariaDB', openMariaDb)
  await closeDatabases()
}

async function measure(name: string, open: OpenDatabase): Promise<void> {
  await measureOutside(name, open)
  const host = await startTestHost(open)
  const signer = host.authorities.employee({ role: 'head' })
  const cookie = await logInOverHttp(host.url, host.authorities.authenticationCertificate(signer))
  const register = (settings: object) => registered(host, signer, settings)
  const plain = await register({})
  const closed = await register({ private: true })
  const rounds = await interleaved(host.app, [{ url: `/api/${plain}` }, { url: `/api/${closed}`, headers: { cookie } }])
  const cost = (at: number) => `${median(rounds.map((round) => round[at] ?? 0)).toFixed(0)} us`
  printRow({
    what: `${name}, a private document by its signer`,
    floor: 'a public one by anybody',
    ratios: rounds.map(([anonymous = 0, authorised = 0]) => authorised / anonymous),
    aim: '<= 1.3',
    figures: `${cost(1)} against ${cost(0)}`,
  })
  await host.close()
}

/** Over HTTP, from outside, processes of their own. */
async function measureOutside(name: string, open: OpenDatabase): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-reads-'))
  const host = startHostProcess({ DATA_DIR: folder, DATABASE_URL: await open() })
  const bare = startHostProcess({}, [BARE_HOST, await open(), '2000'])
  const [url, bareUrl] = [await host.url, await bare.url]
  const signer = DevAuthorities.create({ folder: join(folder, 'dev-authorities') }).employee({ role: 'head' })
  const original = randomBytes(1000)
  const signature = signer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
  const { json } = await postJson<{ documentId: string }>(`${url}/api`, { signature })
  await postBytes(`${url}/api/${json.documentId}/data`, original)
  await load(bareUrl, [postRequest('/api', { signature: 'a'.repeat(2000) })], 1)
  for (const [what, aim, requestOf] of [
    ['GET /api/{id}, one signature', '>= 0.4', (id: string) => requestBytes('GET', `/api/${id}`)],
    [
      'POST /api/{id}/verify of 1,000 octets',
      '>= 0.3',
      (id: string) => requestBytes('POST', `/api/${id}/verify`, original),
    ],
  ] as const) {
    const requests = { ours: repeated(requestOf(json.documentId)), floor: repeated(requestOf('1')) }
    const rounds: { ours: number; floor: number }[] = []
    const processor = { ours: 0, floor: 0 }
    for (let round = -LOAD_WARM_UP; round < LOAD_ROUNDS; round += 1) {
      const before = { ours: processorSeconds(host), floor: processorSeconds(bare) }
      const floor = await load(bareUrl, requests.floor, CONNECTIONS)
      const ours = await load(url, requests.ours, CONNECTIONS)
      if (round < 0) continue
      rounds.push({ floor, ours })
      processor.ours += processorSeconds(host) - before.ours
      processor.floor += processorSeconds(bare) - before.floor
    }
    const each = (seconds: number) => `${((1e6 * seconds) / (LOAD_ROUNDS * LOAD_CALLS)).toFixed(0)} us`
    const rate = (side: 'ours' | 'floor') => `${(LOAD_CALLS / median(rounds.map((one) => one[side]))).toFixed(0)}/s`
    printRow({
      what: `${name}, ${what}`,
      floor: 'bare Fastify and one select',
      ratios: rounds.map(({ ours, floor }) => floor / ours),
      aim,
      figures: `${rate('ours')} against ${rate('floor')}; processor time of one ${each(processor.ours)} against ${each(processor.floor)}`,
    })
  }
  await Promise.all([host.end('SIGTERM'), bare.end('SIGTERM')])
  rmSync(folder, { recursive: true, force: true })
}

const repeated = (request: Buffer): Buffer[] => Array.from({ length: LOAD_CALLS }, () => request)

async function registered(host: TestHost, signer: Subject, settings: object): Promise<string> {
  const original = randomBytes(100)
  const signature = signer.signCms(original).toString('base64')
  const { json } = await postJson<{ documentId: string }>(`${host.url}/api`, { signature, settings })
  await postBytes(`${host.url}/api/${json.documentId}/data`, original)
  return json.documentId
}

interface Read {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Processor time of one read of each, round by round; reads take turns, so that a busy machine slows all alike. */
async function interleaved(app: FastifyInstance, reads: readonly Read[]): Promise<number[][]> {
  const rounds: number[][] = []
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    const costs: number[] = []
    for (const { url, headers = {} } of reads) {
      const begun = process.cpuUsage()
      for (let call = 0; call < CALLS; call += 1) {
        const { statusCode } = await app.inject({ method: 'GET', url, headers })
        if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
      }
      const { user, system } = process.cpuUsage(begun)
      costs.push((user + system) / CALLS)
    }
    if (round >= WARM_UP) rounds.push(costs)
  }
  return rounds
}
