import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BegunRawProcedure } from '@signed-registry/core/procedures'
import { addressIn, DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { openDatabase } from '#core/database/open.js'
import { openMariaDb } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { killHostProcesses, startHostProcess } from '../support/host-process.js'
import { openSocket, receivedBy } from '../support/http.js'
import { killWorkers } from '../support/killed-workers.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { until } from '../support/until.js'
import { ask, startWorkers, type WorkersHost } from '../support/workers-host.js'

const onMariaDb = mariaDbProgram === undefined ? describe.skip : describe

onMariaDb('a host with two workers', () => {
  let folder: string
  let host: WorkersHost
  let url: string
  let database: string
  const start = async (env: NodeJS.ProcessEnv = {}) => {
    database = await openMariaDb()
    const given = { DATA_DIR: folder, DATABASE_URL: database, PORT: String(await freePort()), ...env }
    host = startWorkers(given)
    url = await host.url
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-workers-'))
  })
  afterEach(() => {
    killHostProcesses()
    rmSync(folder, { recursive: true, force: true })
  })
  const connections = () => Promise.all([host.connectionTo(url, 1), host.connectionTo(url, 2)])

  it('registers at one what the other reads and lists, has one log and one answer of metrics', async () => {
    await start({ MEMORY_LIMIT: String(2 ** 31) })
    const [first, second] = await connections()
    const signer = DevAuthorities.create({ folder: join(folder, 'dev-authorities') }).person()
    const signature = signer.signCms(Buffer.from('a'), { timeStamp: true, ocsp: true }).toString('base64')
    const made = await ask(first, url, 'POST', '/api', { title: 'Contract', signature })
    expect(made.status, made.text).to.equal(200)
    const { documentId } = JSON.parse(made.text)
    const read = await ask(second, url, 'GET', `/api/${documentId}`)
    expect(JSON.parse(read.text).title).to.equal('Contract')
    for (let n = 0; n < 3; n += 1) await ask(first, url, 'GET', '/api/version')
    for (let n = 0; n < 4; n += 1) await ask(second, url, 'GET', '/api/version')
    for (const agent of [first, second]) {
      let text = ''
      // Only those workers count that answer the other one within a second.
      await until(async () => {
        text = (await ask(agent, url, 'GET', '/metrics')).text
        const counts = text.matchAll(/^registry_http_request_duration_seconds_count\{.*"\/api\/version".*\} (\d+)$/gm)
        return [...counts].map(([, count]) => count).join() === '7'
      })
      expect(text.match(/^registry_verification_seconds_count\{kind="new".*\} 1$/gm)).to.have.length(1)
      expect(text.match(/^registry_log_entries \d+$/gm)).to.have.length(1)
    }
    const asked = host.lines.filter(({ path }) => path === '/api/version').map(({ worker }) => worker)
    expect(asked.filter((worker) => worker === 1)).to.have.length(3)
    expect(asked.filter((worker) => worker === 2)).to.have.length(4)
    expect(await host.end('SIGTERM')).to.equal(0)
    expect(host.lines.filter(({ msg }) => msg === 'stopping')).to.have.length(3)
    expect(host.lines.filter(({ msg }) => msg.startsWith('mail is not sent'))).to.have.length(1)
    expect(host.lines.filter(({ msg }) => msg.startsWith('refuses requests'))).to.have.length(1)
    expect(await host.errors).to.match(/^\{"level":40,.*"msg":"DEVELOPMENT AUTHORITIES ARE ON: .*\}\n$/)
  })

  it('lets held calls at one know what the app does at the other', async () => {
    await start()
    const [first, second] = await connections()
    const begun: BegunRawProcedure = JSON.parse(
      (await ask(first, url, 'POST', '/api/govQr', { description: '', authType: 'None' })).text,
    )
    const waiting = await host.connectionTo(url, 1)
    const document = {
      id: 1,
      signMethod: 'CMS_WITH_DATA',
      nameRu: 'а',
      meta: [],
      document: { file: { mime: '', data: 'YQ==' } },
    }
    const data = { signMethod: 'CMS_WITH_DATA', version: 1, documentsToSign: [document] }
    const pathOf = (address: string) => new URL(address).pathname
    const sending = ask(first, url, 'POST', pathOf(begun.dataURL), data)
    const result = ask(waiting, url, 'GET', pathOf(begun.signURL))
    const { text } = await ask(second, url, 'GET', pathOf(addressIn(begun.govMobileLaunchLink)))
    const { uri } = JSON.parse(text).document
    const given = await ask(second, url, 'GET', pathOf(uri))
    expect(given.status, given.text).to.equal(200)
    expect((await sending).status).to.equal(200)
    expect((await ask(second, url, 'PUT', pathOf(uri), JSON.parse(given.text))).status).to.equal(200)
    expect((await result).status).to.equal(200)
  })

  it('allows a caller no more at two workers than at one', async () => {
    await start({ RATE_LIMIT_ANONYMOUS: '20' })
    const [first, second] = await connections()
    const accepted = async (agent: typeof first, tries: number) => {
      let count = 0
      for (let n = 0; n < tries; n += 1) if ((await ask(agent, url, 'GET', '/api/version')).status === 200) count += 1
      return count
    }
    const before = performance.now()
    // More than its part, and then what is left.
    const taken = [await accepted(first, 15), await accepted(second, 7)]
    const refilled = Math.ceil((performance.now() - before) / 3000)
    expect(taken[0]).to.equal(15)
    expect(taken[1]).to.be.within(5, 5 + refilled)
  })

  it('answers what it has begun when it is stopped', async () => {
    await start()
    const [first] = await connections()
    const socket = await openSocket(url)
    const received = receivedBy(socket)
    socket.write('POST /api HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n')
    // Whichever worker has it, has read it when one has answered what came later.
    await ask(first, url, 'GET', '/healthz')
    await ask(await host.connectionTo(url, 2), url, 'GET', '/healthz')
    const ended = host.end('SIGTERM')
    await until(async () => host.lines.filter(({ msg }) => msg === 'stopping').length === 3)
    socket.write('{}')
    expect(await received).to.match(/^HTTP\/1.1 4\d\d/)
    expect(await ended).to.equal(0)
  })

  it('stops in order while workers start', async () => {
    const starting = startWorkers({ WORKERS: '3', DATA_DIR: folder, DATABASE_URL: await openMariaDb() })
    await until(async () => starting.lines.some(({ worker, msg }) => worker === 1 && msg.startsWith('listening')))
    const before = performance.now()
    expect(await starting.end('SIGTERM')).to.equal(0)
    expect(performance.now() - before).to.be.below(29_000)
    expect(starting.lines.filter(({ msg }) => msg === 'a worker ended, and is replaced')).to.deep.equal([])
  })

  it('replaces workers that are killed, and says so; nothing acknowledged is lost or doubled', async () => {
    await start()
    await killWorkers(host, database, folder, 3)
    expect(host.torn).to.deep.equal([])
    expect(await host.end('SIGTERM')).to.equal(0)
  })

  it('gives up where no worker serves and none can be started, and says so', async () => {
    await start()
    await connections()
    const knex = openDatabase(database)
    const [applied] = await knex('registry_migrations').select()
    await knex('registry_migrations').insert({ ...applied, name: '9999-of-a-newer-version' })
    await knex.destroy()
    const ended = once(host.child, 'exit')
    for (const worker of [1, 2]) process.kill(host.pidOf(worker), 'SIGKILL')
    expect(await ended).to.deep.equal([1, null])
    expect(host.lines.filter(({ msg }) => msg === 'no worker can be started: giving up')).to.have.length(1)
    expect(await host.errors).to.include('9999-of-a-newer-version')
  })

  it('ends before it listens when its configuration is wrong, as one process does', async () => {
    const DATABASE_URL = await openMariaDb()
    const wrong = startHostProcess({ PORT: 'many', WORKERS: '2', DATA_DIR: folder, DATABASE_URL })
    expect(await wrong.errors).to.match(/^Wrong configuration:\n {2}PORT: takes .*\n$/)
    expect(await wrong.end('SIGTERM')).to.equal(1)
    const unreachable = startHostProcess({ WORKERS: '2', DATA_DIR: folder, DATABASE_URL: 'mysql://a:b@127.0.0.1:1/c' })
    expect(await unreachable.errors).to.match(/^Wrong configuration:\n {2}DATABASE_URL: .*\n$/)
    expect(await unreachable.end('SIGTERM')).to.equal(1)
  })

  it('ends when its port is taken, as one process does', async () => {
    await start()
    const { port } = new URL(url)
    const second = startHostProcess({ PORT: port, WORKERS: '2', DATA_DIR: folder, DATABASE_URL: await openMariaDb() })
    expect(await second.errors).to.match(
      new RegExp(`^Wrong configuration:\n  PORT: ${port} is in use at 127.0.0.1: .*\n$`),
    )
    expect(await second.end('SIGTERM')).to.equal(1)
  })
})
