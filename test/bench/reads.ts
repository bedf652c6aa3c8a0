import { randomBytes } from 'node:crypto'
import type { Subject } from '@signed-registry/dev-authorities'
import type { FastifyInstance } from 'fastify'
import { closeDatabases, type OpenDatabase, openMariaDb, openSqlite } from '../support/databases.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { postBytes, postJson } from '../support/http.js'
import { logInOverHttp } from '../support/login-over-http.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { median } from './interleave.js'

const ROUNDS = 30
const WARM_UP = 5
const CALLS = 20

/** What an authorised read of a document costs against an anonymous one. */
export async function run(): Promise<void> {
  await measure('SQLite', openSqlite)
  if (mariaDbProgram === undefined) console.log('MariaDB is not installed: its half is left out')
  else await measure('MariaDB', openMariaDb)
  await closeDatabases()
}

async function measure(name: string, open: OpenDatabase): Promise<void> {
  const host = await startTestHost(open)
  const signer = host.authorities.employee({ role: 'head' })
  const cookie = await logInOverHttp(host.url, host.authorities.authenticationCertificate(signer))
  const register = (settings: object) => registered(host, signer, settings)
  const plain = await register({})
  const closed = await register({ private: true })
  const costs = await interleaved(host.app, [{ url: `/api/${plain}` }, { url: `/api/${closed}`, headers: { cookie } }])
  const [anonymous = 0, authorised = 0] = costs
  console.log(`${name}: a private document by its signer ${authorised.toFixed(0)} µs, a public one by anybody`)
  console.log(`  ${anonymous.toFixed(0)} µs; ratio ${(authorised / anonymous).toFixed(2)}, aim 1.3`)
  await host.close()
}

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

/** Medians of the processor time of one read; reads take turns, so that a busy machine slows all alike. */
async function interleaved(app: FastifyInstance, reads: readonly Read[]): Promise<number[]> {
  const costs = reads.map((): number[] => [])
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    for (const [at, { url, headers = {} }] of reads.entries()) {
      const begun = process.cpuUsage()
      for (let call = 0; call < CALLS; call += 1) {
        const { statusCode } = await app.inject({ method: 'GET', url, headers })
        if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
      }
      const { user, system } = process.cpuUsage(begun)
      if (round >= WARM_UP) costs[at]?.push((user + system) / CALLS)
    }
  }
  return costs.map(median)
}
