import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BegunProcedure, BegunRawProcedure } from '@signed-registry/core/procedures'

import { addressIn, DevAuthorities, DevPhone } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { openDatabase } from '#core/database/open.js'
import { standardLogger } from '#core/kernel/logger.js'
import { forEachDatabase, forServer, openSqlite } from '../support/databases.js'
import { giveDevAuthorities } from '../support/dev-authorities-folder.js'
import { freePort } from '../support/free-port.js'
import { type HostProcess, killHostProcesses, startHostProcess } from '../support/host-process.js'
import { type Answer, postBytes, postJson, request } from '../support/http.js'
import { logInOverHttp } from '../support/login-over-http.js'
import { peakMemory } from '../support/process-figures.js'
import { randomData } from '../support/random-data.js'
import { startTrustedService } from '../support/relayed-hosts.js'
import { exhaustive } from '../support/sweep.js'
import { until } from '../support/until.js'

const MEBIBYTE = 2 ** 20
const BODY = 100 * MEBIBYTE
/** Enough bodies to exceed the memory that uncollected garbage ever takes. */
const AT_ONCE = 4
/** Processes are expensive: the sample only tests the relay. */
const everything = exhaustive ? it : it.skip
const ORIGINAL = Buffer.from('contract')

/** Stock hosts as processes, and a person who is logged in. */
class Processes {
  readonly authorities: DevAuthorities
  cookie = ''

  constructor(private readonly folder: string) {
    giveDevAuthorities(folder)
    this.authorities = DevAuthorities.create({ folder: join(folder, 'dev-authorities') })
  }

  async logIn(url: string): Promise<void> {
    this.cookie = await logInOverHttp(url, this.authorities.named('person-2-auth'))
  }

  ask<T = Record<string, unknown>>(method: string, url: string, body?: object): Promise<Answer<T>> {
    const headers = { cookie: this.cookie, ...(body && { 'content-type': 'application/json' }) }
    return request<T>(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  }

  /** Registers a document whose original is kept; gives its address below a host. */
  async register(url: string): Promise<string> {
    const signature = this.authorities.named('person-2').signCms(ORIGINAL, { timeStamp: true, ocsp: true })
    const settings = { tempStorageAfterRegistration: 3_600_000 }
    const body = { title: 'a.txt', signature: signature.toString('base64'), settings }
    const { json, status, text } = await postJson<{ documentId: string }>(`${url}/api`, body)
    expect(status, text).to.equal(200)
    const { documentId } = json
    await postBytes(`${url}/api/${documentId}/data`, ORIGINAL)
    return `/api/${documentId}`
  }

  start(env: NodeJS.ProcessEnv): HostProcess {
    return startHostProcess({ DATA_DIR: this.folder, ...env })
  }
}

/** Advances the clock by half a minute. */
async function forgetClaims(database: string): Promise<void> {
  const knex = openDatabase(database, standardLogger)
  await knex('registry_procedures').update({ claimed_until: 1 })
  await knex.destroy()
}

const digestOf = (body: Buffer) => createHash('sha256').update(body).digest('hex')

/** Sends bytes, or none; gives the digest of what comes back. */
function exchange(url: string, method: string, body?: Buffer): Promise<{ status: number | undefined; digest: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/octet-stream' }
    const sent = http.request(url, { method, ...(body && { headers }) }, (answer) => {
      const hash = createHash('sha256')
      answer.on('data', (chunk) => hash.update(chunk))
      answer.on('end', () => resolve({ status: answer.statusCode, digest: hash.digest('hex') }))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('signing by phone at hosts that are processes', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-phone-processes-'))
  })
  after(() => {
    killHostProcesses()
    rmSync(folder, { recursive: true, force: true })
  })

  forServer((open) => {
    everything('tells at one host what the app does at the other', async function () {
      this.timeout(120_000)
      const data = mkdtempSync(join(folder, 'two-'))
      const processes = new Processes(data)
      const DATABASE_URL = await open()
      const secret = randomBytes(32).toString('hex')
      const hosts: HostProcess[] = []
      const urls: string[] = []
      for (const port of [await freePort(), await freePort()]) {
        const url = `http://127.0.0.1:${port}`
        const env = { DATABASE_URL, SESSION_SECRET: secret, PORT: String(port), BASE_URL: url, PEER_URL: url }
        hosts.push(processes.start(env))
        urls.push(url)
      }
      await Promise.all(hosts.map(({ url }) => url))
      const [first = '', second = ''] = urls
      await processes.logIn(first)
      const of = await processes.register(first)
      const began = await processes.ask<BegunProcedure>('POST', `${first}${of}/govQr`, { description: '' })
      expect(began.status, began.text).to.equal(200)
      const begun = began.json
      const operation = `${of}/govOperation/${begun.operationId}`
      const { cookie } = processes
      const events = await fetch(`${first}${operation}`, { headers: { accept: 'text/event-stream', cookie } })
      const told = events.text()
      const address = addressIn(begun.govMobileLaunchLink).replace(first, second)
      const phone = new DevPhone(processes.authorities.named('person-1'))
      const announcement = await phone.open(`mobileSign:${address}`)
      // The address of API 2 is that of the host that answers.
      expect(announcement.document.uri.startsWith(second)).to.equal(true)
      expect((await phone.answer(announcement, await phone.documents(announcement))).status).to.equal(200)
      const statuses = [...(await told).matchAll(/"status":"(\w+)"/g)].map(([, status]) => status)
      // States that pass quickly may be seen together.
      expect([statuses[0], statuses.at(-1)]).to.deep.equal(['new', 'done'])
      for (const url of urls) expect((await processes.ask('GET', `${url}${operation}`)).json.status).to.equal('done')
      for (const host of hosts) expect(await host.end('SIGTERM')).to.equal(0)
    })
  })

  forEachDatabase((open) => {
    const story = open === openSqlite ? it : everything
    story('goes on through a relay after the host was killed', async () => {
      const data = mkdtempSync(join(folder, 'relay-'))
      const service = await startTrustedService()
      const trust = join(data, 'trust.pem')
      writeFileSync(trust, service.relay.trust ?? '')
      const processes = new Processes(data)
      const env = {
        DATABASE_URL: await open(),
        PORT: String(await freePort()),
        GOV_QR_RELAY_URL: service.relay.url,
        GOV_QR_RELAY_TRUST: trust,
      }
      let host = processes.start(env)
      const url = await host.url
      await processes.logIn(url)
      const of = await processes.register(url)
      const begin = async () =>
        (await processes.ask<BegunProcedure>('POST', `${url}${of}/govQr`, { description: '' })).json
      const statusOf = async ({ operationId }: BegunProcedure) =>
        (await processes.ask('GET', `${url}${of}/govOperation/${operationId}`)).json.status
      const [waiting, signed] = [await begin(), await begin()]
      const phone = service.phone(processes.authorities.named('person-1'))
      const announcement = await phone.open(signed.govMobileLaunchLink)
      const given = await phone.documents(announcement)
      await until(async () => (await statusOf(signed)) === 'data')
      await host.end('SIGKILL')
      // The app answers while no client waits.
      expect((await phone.answer(announcement, given)).status).to.equal(200)
      if (!exhaustive) await forgetClaims(env.DATABASE_URL)
      host = processes.start(env)
      await host.url
      await until(async () => (await statusOf(signed)) === 'done')
      expect((await phone.sign(waiting.govMobileLaunchLink)).status).to.equal(200)
      await until(async () => (await statusOf(waiting)) === 'done')
      expect((await processes.ask('GET', `${url}${of}`)).json.signaturesTotal).to.equal(3)
      await host.end('SIGTERM')
      await service.close()
    })
  })

  everything(
    `passes ${AT_ONCE} bodies of ${BODY / MEBIBYTE} MiB at once on, byte for byte, and holds none of them in memory`,
    async function () {
      this.timeout(300_000)
      const data = mkdtempSync(join(folder, 'large-'))
      const processes = new Processes(data)
      const host = processes.start({
        DATABASE_URL: await openSqlite(),
        PORT: String(await freePort()),
        RATE_LIMIT_ANONYMOUS_BYTES: '0',
      })
      const url = await host.url
      // The share of an anonymous caller is smaller.
      await processes.logIn(url)
      const begin = async () =>
        (await processes.ask<BegunRawProcedure>('POST', `${url}/api/govQr`, { description: '', authType: 'None' })).json
      const app = new DevPhone(processes.authorities.named('person-1'))
      const [asked, returned] = [randomData(BODY), randomData(BODY)]
      // The app gets 404 when the data take longer than a minute, and retries.
      const given = async (uri: string): Promise<Awaited<ReturnType<typeof exchange>>> => {
        const answer = await exchange(uri, 'GET')
        return answer.status === 404 ? given(uri) : answer
      }
      const pass = async (begun: BegunRawProcedure) => {
        const sending = exchange(begun.dataURL, 'POST', asked)
        const waiting = exchange(begun.signURL, 'GET')
        const { uri } = (await app.open(begun.govMobileLaunchLink)).document
        expect((await given(uri)).digest).to.equal(digestOf(asked))
        expect((await sending).status).to.equal(200)
        expect((await exchange(uri, 'PUT', returned)).status).to.equal(200)
        expect((await waiting).digest).to.equal(digestOf(returned))
        expect((await exchange(begun.signURL, 'GET')).digest).to.equal(digestOf(returned))
      }
      const begun = await Promise.all(Array.from({ length: AT_ONCE }, begin))
      const before = peakMemory(host)
      await Promise.all(begun.map(pass))
      expect(peakMemory(host) - before).to.be.below((AT_ONCE * BODY) / MEBIBYTE / 2)
      // One byte more is refused.
      const large = await begin()
      const refused = exchange(large.dataURL, 'POST', randomData(BODY + 1))
      void fetch((await app.open(large.govMobileLaunchLink)).document.uri).catch(() => undefined)
      expect((await refused).status).to.equal(413)
      await host.end('SIGTERM')
    },
  )
})
