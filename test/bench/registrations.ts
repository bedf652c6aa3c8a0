import { existsSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { openDatabase } from '#core/database/open.js'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { type HostProcess, startHostProcess } from '../support/host-process.js'
import { mariaDbProgram, startMariaDb } from '../support/mariadb.js'
import { processorSeconds } from '../support/process-figures.js'
import { load, postRequest } from './http-load.js'
import { median } from './interleave.js'
import { manyKeys } from './many-keys.js'
import { printRow } from './row.js'

const CALLS = 400
const ROUNDS = 7
/** Requests before anything is measured: the compilers of V8 take a fifth of the processors until then. */
const WARM_UP = 4000
/** A file system in memory. */
const MEMORY = '/dev/shm'
const BARE_HOST = fileURLToPath(new URL('bare-host.js', import.meta.url))

/** How documents come, what they are measured against, and what the ratio should be. */
interface Way {
  readonly connections: number
  readonly documentsOfSigner: number
  readonly bare: { readonly path: '/api' | '/verified'; readonly name: string }
}
const AGAINST_THE_SAME_PROMISE: Way = {
  connections: 32,
  documentsOfSigner: 4,
  bare: { path: '/verified', name: 'verifying and one bare insert' },
}
const AGAINST_A_BARE_INSERT: Way = {
  connections: 64,
  documentsOfSigner: 1,
  bare: { path: '/api', name: 'a bare insert' },
}

/**
 * Registrations a second over HTTP, of signatures that carry their evidence, against bare Fastify routes that insert one
 * row of the same size with the same Knex, and verify as we do or not at all. Every database flushes every commit: ours
 * commits several at a time, so one row says what is left of the ratio where nothing is flushed.
 */
export async function run(): Promise<void> {
  await measure('SQLite', AGAINST_THE_SAME_PROMISE, '>= 1.2', openSqlite)
  await measure('SQLite', AGAINST_A_BARE_INSERT, '>= 0.36', openSqlite)
  await closeDatabases()
  await measureUnflushed()
  if (mariaDbProgram === undefined) return console.log('MariaDB is not installed: its half is left out')
  const server = await startMariaDb({ durable: true })
  await measure('MariaDB', AGAINST_THE_SAME_PROMISE, '>= 1.1', server.createDatabase)
  await measure('MariaDB', AGAINST_A_BARE_INSERT, '>= 0.36', server.createDatabase)
  await server.stop()
}

/** Both hosts keep their SQLite in memory: where nothing waits for a disk, committing several at a time gains nothing. */
async function measureUnflushed(): Promise<void> {
  if (!existsSync(MEMORY)) return console.log(`There is no ${MEMORY}: registrations without flushes are left out`)
  const folder = await mkdtemp(join(MEMORY, 'registry-bench-'))
  let count = 0
  const open = async () => `sqlite:${join(folder, `${++count}.sqlite`)}`
  await measure('SQLite without flushes', AGAINST_THE_SAME_PROMISE, undefined, open)
  rmSync(folder, { recursive: true, force: true })
}

type Aim = `>= ${number}`

async function measure(name: string, way: Way, aim: Aim | undefined, open: () => Promise<string>): Promise<void> {
  const { connections, documentsOfSigner, bare } = way
  const folder = await mkdtemp(join(tmpdir(), 'registry-bench-'))
  const database = await open()
  const host = startHostProcess({ DATA_DIR: folder, DATABASE_URL: database })
  const url = await host.url
  const authorities = join(folder, 'dev-authorities')
  const all = WARM_UP + CALLS * ROUNDS
  const ours = signedRequests('/api', authorities, all, documentsOfSigner)
  // A host that verifies has its own: whose signer has come before costs less.
  const own = bare.path === '/verified' ? all : WARM_UP
  const theirs = signedRequests(bare.path, authorities, own, documentsOfSigner)
  const nextOfTheirs = (count: number) => (own === all ? theirs.splice(0, count) : theirs.slice(0, count))
  await load(url, ours.splice(0, WARM_UP), connections)
  const size = await rowSize(database)
  const trust = join(authorities, 'trust.pem')
  const bareHost = startHostProcess({}, [BARE_HOST, await open(), String(size), trust])
  const bareUrl = await bareHost.url
  await load(bareUrl, nextOfTheirs(WARM_UP), connections)

  const spent = processorOf(host, bareHost)
  const rounds: { ours: number; floor: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const floor = await load(bareUrl, nextOfTheirs(CALLS), connections)
    rounds.push({ floor, ours: await load(url, ours.splice(0, CALLS), connections) })
  }
  const [cost = 0, bareCost = 0] = spent()
  const rate = (which: 'ours' | 'floor') => `${(CALLS / median(rounds.map((round) => round[which]))).toFixed(0)}/s`
  printRow({
    what: `${name}, registrations over ${connections} connections, ${documentsOfSigner} by each signer`,
    floor: bare.name,
    ratios: rounds.map((round) => round.floor / round.ours),
    ...(aim && { aim }),
    figures: `${rate('ours')} against ${rate('floor')} of ${size} octets; processor time of one ${cost} against ${bareCost} us`,
  })
  await Promise.all([host.end('SIGTERM'), bareHost.end('SIGTERM')])
  rmSync(folder, { recursive: true, force: true })
}

/** Counts the processor time of hosts from now on: microseconds of each for one call. */
function processorOf(...hosts: readonly HostProcess[]): () => number[] {
  const before = hosts.map(processorSeconds)
  return () =>
    hosts.map((host, at) => Math.round((1e6 * (processorSeconds(host) - (before[at] ?? 0))) / (CALLS * ROUNDS)))
}

/** Registrations of new documents, as bytes; each signer signs so many of them. */
export function signedRequests(path: string, folder: string, count: number, ofSigner: number): Buffer[] {
  const authorities = DevAuthorities.create({ folder })
  const signers = manyKeys('rsa2048', Math.ceil(count / ofSigner)).map((key) => authorities.employee({ key }))
  return Array.from({ length: count }, (_, index) => {
    const signer = signers[index % signers.length] as (typeof signers)[number]
    const title = `Contract ${index}`
    const certificates = [signer.certificate, signer.issuer]
    const cms = signer.signCms(Buffer.from(title), { timeStamp: true, ocsp: true, certificates })
    return postRequest(path, { title, signature: cms.toString('base64') })
  })
}

/** Octets that the registry keeps of a signature: its evidence and facts. */
async function rowSize(url: string): Promise<number> {
  const database = openDatabase(url)
  const columns = ['facts', 'signature', 'time_stamp', 'ocsp', 'certificates', 'signed_digests']
  const sum = columns.map((column) => `length(${column})`).join(' + ')
  const [row] = await database('registry_signatures').select(database.raw(`avg(${sum}) as size`))
  await database.destroy()
  return Math.round(Number(row?.size))
}
