import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freeBytes } from '@signed-registry/archive-fs'
import { type Caller, type GivenShares, Ledger } from '@signed-registry/core'
import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import { sharesOf } from '#core/ledger/shares.js'
import { apiScope, defaultApiSettings } from '#host/api-scope.js'
import { readConfig } from '#host/config/config.js'
import { defaultPace } from '#host/limits/pace.js'
import { buildServer } from '#host/server.js'
import { startHost } from '#host/start-host.js'
import { listen } from '../../support/api-scope.js'
import { openSocket, receivedBy, request } from '../../support/http.js'
import { mountSmallDisk } from '../../support/small-disk.js'
import { until } from '../../support/until.js'

const KIB = 1024
const MIB = 1024 * KIB
const LIMIT = 2 * MIB
/** Text without repetition. */
const named = (length: number) => {
  const around = '{"name":""}'.length
  const letters = Array.from({ length: Math.ceil(length / 8) }, (_, at) => String(at).padStart(8, 'a')).join('')
  return JSON.stringify({ name: letters.slice(0, length - around) })
}
const person: Caller = { kind: 'person', iin: 'IIN900101300010' }
/** Callers are taken from a header: a person, or the address of an anonymous caller. */
const callerOf = (who: string | undefined): Caller =>
  who === 'person' ? person : { kind: 'anonymous', address: who ?? '192.0.2.1' }
/** Unlinked files that this process has open. */
const nameless = (folder: string) =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      const name = readlinkSync(`/proc/self/fd/${fd}`)
      return name.startsWith(`${folder}/.spool-`) && name.endsWith('(deleted)')
    } catch {
      return false
    }
  }).length

// Only where `/proc` lists open files.
const suite = existsSync('/proc/self/fd') ? describe : describe.skip

suite('large JSON of strangers', () => {
  let folder: string
  const apps: FastifyInstance[] = []
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-spool-'))
  })
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close()
    await until(async () => nameless(folder) === 0)
  })
  after(() => rmSync(folder, { recursive: true }))

  const serve = async (shares: GivenShares = {}, spoolFolder = folder, spoolReserve = 0) => {
    const ledger = new Ledger({ shares: sharesOf(shares) })
    const app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic' })
    const limits = { ...defaultApiSettings.limits, json: LIMIT }
    // Ours is not slowed down.
    const { largeJson: _, ...pace } = defaultPace
    await app.register(
      (api) =>
        apiScope(api, { ...defaultApiSettings, limits, pace, spoolFolder, spoolReserve }, ledger, {
          json(scope) {
            scope.addHook('onRequest', async (request) => {
              request.caller = callerOf(request.headers.who?.toString())
            })
            scope.post('', { bodyLimit: LIMIT, config: { json: { bytes: LIMIT, values: 100 } } }, async ({ body }) => ({
              length: JSON.stringify(body).length,
              same: JSON.stringify(body) === named(JSON.stringify(body).length),
            }))
          },
          uploads: () => undefined,
        }),
      { prefix: '/api' },
    )
    apps.push(app)
    return { app, ledger, url: await listen(app) }
  }
  type Served = Awaited<ReturnType<typeof serve>>
  const head = (length: string, who: string) =>
    `POST /api HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nwho: ${who}\r\n${length}\r\n\r\n`
  /** Begins a body and never completes it. */
  const begin = async ({ app, url }: Served, who: string, length = MIB): Promise<Socket> => {
    const socket = await openSocket(url)
    socket.on('error', () => undefined)
    const begun = once(app.server, 'request')
    socket.write(head(`Content-Length: ${length}`, who) + named(length).slice(0, 100))
    await begun
    return socket
  }
  const send = ({ url }: Served, who: string, json: unknown) =>
    request(`${url}/api`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', who },
      body: JSON.stringify(json),
    })

  it('takes no memory while it arrives, its own or that of others', async () => {
    const served = await serve({ memory: { stranger: 4 * MIB, strangers: 8 * MIB } })
    const slow = await Promise.all(
      ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3'].map((who) => begin(served, who)),
    )
    await until(async () => nameless(folder) === 4)
    expect(readdirSync(folder)).to.deep.equal([])
    expect(served.ledger.state().memory.all).to.equal(0)
    expect(served.ledger.state().spooledJson.strangers).to.equal(4 * MIB)
    const other = await send(served, '192.0.2.4', JSON.parse(named(MIB)))
    expect([other.status, other.json]).to.deep.equal([200, { length: MIB, same: true }])
    const [first] = slow
    const answer = receivedBy(first ?? (await openSocket(served.url)))
    first?.write(named(MIB).slice(100))
    expect(await answer).to.match(/^HTTP\/1\.1 200 [\s\S]*"same":true/)
    for (const socket of slow) socket.destroy()
    await until(async () => served.ledger.state().spooledJson.all === 0 && nameless(folder) === 0)
    expect(served.ledger.state().memory.all).to.equal(0)
  })

  it('waits unread for its share of the disk, and releases it when its connection closes', async () => {
    const served = await serve({ spooledJson: { stranger: MIB } })
    const first = await begin(served, '192.0.2.1')
    const waiting = send(served, '192.0.2.1', JSON.parse(named(MIB)))
    await until(async () => served.ledger.state().spooledJson.waiting === 1)
    expect((await send(served, '192.0.2.2', JSON.parse(named(MIB)))).status).to.equal(200)
    expect(nameless(folder)).to.equal(1)
    first.destroy()
    expect((await waiting).status).to.equal(200)
  })

  it('is read into memory from authenticated callers, or when it is small', async () => {
    const served = await serve()
    const sockets = [await begin(served, 'person'), await begin(served, '192.0.2.1', 128 * KIB)]
    await until(async () => served.ledger.state().memory.all === 4 * MIB + 4 * 128 * KIB)
    expect(served.ledger.state().spooledJson.all).to.equal(0)
    expect(nameless(folder)).to.equal(0)
    for (const socket of sockets) socket.destroy()
  })

  it('of unknown length is spooled up to the limit', async () => {
    const served = await serve()
    const chunked = async (length: number) => {
      const socket = await openSocket(served.url)
      socket.on('error', () => undefined)
      const answer = receivedBy(socket)
      const body = named(length)
      socket.write(`${head('Transfer-Encoding: chunked', '192.0.2.1')}${length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
      return answer
    }
    expect(await chunked(MIB)).to.match(/^HTTP\/1\.1 200 [\s\S]*"same":true/)
    expect(await chunked(LIMIT + MIB)).to.match(/^HTTP\/1\.1 413 [\s\S]*"bodyTooLarge"/)
  })

  it('is refused as usual when it is malformed or too large', async () => {
    const served = await serve()
    const post = async (body: string) => {
      const headers = { 'content-type': 'application/json', who: '192.0.2.1' }
      const answer = await fetch(`${served.url}/api`, { method: 'POST', headers, body })
      return [answer.status, JSON.parse(await answer.text()).code]
    }
    expect(await post(named(MIB).slice(0, -1))).to.deep.equal([400, 'jsonNotParsed'])
    const many = JSON.stringify({ name: Array.from({ length: 101 }, () => 'a'.repeat(4 * KIB)) })
    expect(await post(many)).to.deep.equal([413, 'tooManyJsonValues'])
  })

  it('is spooled to the data folder of the stock host', async () => {
    const config = readConfig({
      ...{ DATA_DIR: folder, PORT: '0', MTLS_PORT: 'off', LOG_LEVEL: 'silent', DEV_AUTHORITIES: 'yes' },
    })
    const host = await startHost({ config })
    const socket = await openSocket(host.url)
    socket.on('error', () => undefined)
    socket.write(head(`Content-Length: ${MIB}`, ''))
    await until(async () => nameless(folder) === 1)
    socket.destroy()
    await host.close()
  })

  it('is read into memory when the disk would fall below its reserve', async () => {
    const free = await freeBytes(folder)
    for (const [reserve, files] of [
      [free / 2, 1],
      [free * 2, 0],
    ] as const) {
      const served = await serve({}, folder, reserve)
      const socket = await begin(served, '192.0.2.1')
      await until(async () => served.ledger.state()[files === 1 ? 'spooledJson' : 'memory'].all > 0)
      await until(async () => nameless(folder) === files)
      const answer = receivedBy(socket)
      socket.write(named(MIB).slice(100))
      expect(await answer).to.match(/^HTTP\/1\.1 200 [\s\S]*"same":true/)
    }
  })

  it('is refused when the folder is missing or full', async () => {
    const refusalIn = async (spoolFolder: string) => {
      const { status, json, headers } = await send(await serve({}, spoolFolder), '192.0.2.1', JSON.parse(named(LIMIT)))
      return [status, json.code, json.details, headers.get('retry-after')]
    }
    const refused = [503, 'serviceBusy', { resource: 'spooledJson', retryAfter: 5 }, '5']
    expect(await refusalIn(join(folder, 'missing'))).to.deep.equal(refused)
    const disk = mountSmallDisk(1)
    if (disk === undefined) return
    expect(await refusalIn(disk.folder)).to.deep.equal(refused)
    for (const app of apps.splice(0)) await app.close()
    disk.unmount()
  })
})
