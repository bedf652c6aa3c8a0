import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { openDatabase } from '../../core/dist/database/open.js'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { startHostProcess } from '../support/host-process.js'
import { mariaDbProgram, startMariaDb } from '../support/mariadb.js'
import { processorSeconds } from '../support/process-figures.js'
import { load, postRequest } from './http-load.js'
import { median } from './interleave.js'
import { manyKeys } from './many-keys.js'

const CONNECTIONS = 16
const CALLS = 400
const ROUNDS = 6
const DOCUMENTS_OF_A_SIGNER = 4
const BARE_HOST = fileURLToPath(new URL('bare-host.js', import.meta.url))

/**
 * Registrations a second over HTTP, of signatures that carry their evidence, against a bare Fastify route that inserts one
 * row of the same size with the same Knex. Every database flushes every commit.
 */
export async function run(): Promise<void> {
  await measure('SQLite', openSqlite)
  await closeDatabases()
  if (mariaDbProgram === undefined) return console.log('MariaDB is not installed: its half is left out')
  const server = await startMariaDb({ durable: true })
  await measure('MariaDB', server.createDatabase)
  await server.stop()
}

async function measure(name: string, open: () => Promise<string>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-bench-'))
  const database = await open()
  const host = startHostProcess({ DATA_DIR: folder, DATABASE_URL: database })
  const url = await host.url
  const requests = signedRequests(join(folder, 'dev-authorities'), CALLS * (ROUNDS + 2))
  const take = () => requests.splice(0, CALLS)
  await load(url, take(), CONNECTIONS)
  const size = await rowSize(database)
  const bare = startHostProcess({}, [BARE_HOST, await open(), String(size)])
  const bareUrl = await bare.url
  const last = take()
  await load(bareUrl, last, CONNECTIONS)

  const before = [host, bare].map(processorSeconds)
  const rounds: { ours: number; floor: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const floor = await load(bareUrl, last, CONNECTIONS)
    rounds.push({ floor, ours: await load(url, take(), CONNECTIONS) })
  }
  const [own, theirs] = [host, bare].map((one, index) => processorSeconds(one) - (before[index] ?? 0))
  const rate = (which: 'ours' | 'floor') => (CALLS / median(rounds.map((round) => round[which]))).toFixed(0)
  const ratio = median(rounds.map(({ ours, floor }) => floor / ours)).toFixed(2)
  const each = (seconds = 0) => `${((1e6 * seconds) / (CALLS * ROUNDS)).toFixed(0)} us`
  console.log(
    `${name}: ${rate('ours')} registrations/s, bare inserts of ${size} octets ${rate('floor')}/s, ratio ${ratio}`,
  )
  console.log(`  processor time of one: ${each(own)} of the host, ${each(theirs)} of the bare one`)
  await Promise.all([host.end('SIGTERM'), bare.end('SIGTERM')])
  rmSync(folder, { recursive: true, force: true })
}

function signedRequests(folder: string, count: number): Buffer[] {
  const authorities = DevAuthorities.create({ folder })
  const signers = manyKeys('rsa2048', Math.ceil(count / DOCUMENTS_OF_A_SIGNER)).map((key) =>
    authorities.employee({ key }),
  )
  return Array.from({ length: count }, (_, index) => {
    const signer = signers[index % signers.length] as (typeof signers)[number]
    const title = `Contract ${index}`
    const certificates = [signer.certificate, signer.issuer]
    const cms = signer.signCms(Buffer.from(title), { timeStamp: true, ocsp: true, certificates })
    return postRequest('/api', { title, signature: cms.toString('base64') })
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
