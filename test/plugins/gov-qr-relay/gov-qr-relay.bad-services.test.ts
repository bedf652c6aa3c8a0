import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Database, HeldCalls } from '@signed-registry/core'
import type { BegunRawProcedure } from '@signed-registry/core/procedures'

import { govQrRelay } from '@signed-registry/gov-qr-relay'
import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { request } from '../../support/http.js'
import { RelayedHost, startTrustedService } from '../../support/relayed-hosts.js'
import { until } from '../../support/until.js'

type Answering = (request: IncomingMessage, response: ServerResponse) => void
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]).toString('base64')
const json =
  (body: unknown, status = 200): Answering =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const silent: Answering = () => undefined
const broken: Answering = (request) => request.socket.destroy()

describe('a relay whose other service is down, slow or lies', () => {
  let server: http.Server
  let url: string
  let ours: RelayedHost
  /** What the service does, by method; `BEGIN` is `POST` to its raw interface. */
  let answers: Record<string, Answering>
  let seen: string[]
  before(async () => {
    server = http.createServer((asked, response) => {
      const method = asked.url === '/api/govQr' ? 'BEGIN' : String(asked.method)
      seen.push(method)
      asked.resume()
      answers[method]?.(asked, response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/govQr`
    const limits = { procedureBytes: 2 ** 20 }
    ours = await RelayedHost.start(
      openSqlite,
      { url, silenceMs: 500 },
      { registry: { limits }, logger: { info() {}, warn() {}, error() {} } },
    )
  })
  after(async () => {
    await ours.close()
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    seen = []
    answers = { BEGIN: json(begun()), POST: silent, GET: silent, DELETE: json({}) }
  })

  const begun = (more: object = {}) => ({
    ...{ expireAt: Date.now() + 60_000, qrCode: PNG, dataURL: `${url}/AAAA`, signURL: `${url}/AAAA` },
    eGovMobileLaunchLink: 'https://m.egov.kz/mobileSign/?link=a',
    eGovBusinessLaunchLink: 'https://m.egov.kz/businessSign/?link=a',
    ...more,
  })
  const times = (method: string) => seen.filter((one) => one === method).length
  const rows = () => ours.host.registry.get(Database).query('registry_procedures')

  describe('refuses to begin, and keeps nothing, where the service', () => {
    const endless: Answering = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, ' ')));
      }
      response.on('drain', more)
      more()
    }
    const cases: readonly [string, () => Answering, string][] = [
      ['breaks the connection', () => broken, 'unreachable'],
      ['answers without end', () => endless, 'tooLarge'],
      ['fails', () => json({}, 500), 'refused'],
      ['has too many users', () => json({ message: 'Too much users use QR signing' }, 429), 'refused'],
      ['says an error under status 200', () => json({ ...begun(), message: 'Access denied' }), 'refused'],
      ['leads elsewhere', () => (_, response) => void response.writeHead(302, { location: url }).end(), 'refused'],
      ['says something else', () => json('hello'), 'refused'],
      ['wants the data elsewhere', () => json(begun({ dataURL: 'http://169.254.169.254/AAAA' })), 'refused'],
      ['wants the data elsewhere by mutual TLS', () => json(begun({ dataURLAuto: 'http://a.kz/A' })), 'refused'],
      ['has the result elsewhere', () => json(begun({ signURL: 'file:///etc/passwd' })), 'refused'],
      ['has a link that is a script', () => json(begun({ govMobileLaunchLink: 'javascript:alert(1)' })), 'refused'],
      ['has no link', () => json(begun({ eGovBusinessLaunchLink: undefined })), 'refused'],
      ['has a code that is no image', () => json(begun({ qrCode: 'PHN2Zz4=' })), 'refused'],
      ['began something that is over', () => json(begun({ expireAt: Date.now() - 1 })), 'refused'],
    ]
    for (const [name, answer, reason] of cases) {
      it(name, async () => {
        const before = (await rows()).length
        answers.BEGIN = answer()
        const refused = await ours.ask<{ code: string; details: object }>('POST', '/govQr', { description: '' })
        expect([refused.status, refused.json.code]).to.deep.equal([503, 'relayUnavailable'])
        expect(refused.json.details).to.deep.equal({ reason })
        expect((await rows()).length).to.equal(before)
      })
    }
  })

  it('rejects untrusted certificates, silence and addresses without TLS', async () => {
    const service = await startTrustedService()
    const host = await RelayedHost.start(openSqlite, { url: service.relay.url })
    expect((await host.ask<{ details: object }>('POST', '/govQr', { description: '' })).json.details).to.deep.equal({
      reason: 'unreachable',
    })
    await host.close()
    await service.close()
    answers.BEGIN = silent
    const hasty = await RelayedHost.start(openSqlite, { url, timeoutMs: 1 })
    expect((await hasty.ask<{ details: object }>('POST', '/govQr', { description: '' })).json.details).to.deep.equal({
      reason: 'timeout',
    })
    await hasty.close()
    for (const wrong of ['http://other.example/api/govQr', 'https://a:b@other.example/api/govQr', 'https://a.kz/x?y'])
      expect(() => govQrRelay({ url: wrong }), wrong).to.throw(TypeError, '/url')
  })

  /** Begins with data that are there. */
  const withData = async (): Promise<BegunRawProcedure> => {
    const raw = await ours.beginRaw()
    void fetch(raw.dataURL, { method: 'POST', body: '{"documentsToSign":[]}' }).catch(() => undefined)
    await until(async () => times('POST') > 0)
    return raw
  }
  /** What is tried again in some seconds is tried now. */
  const soon = async (isSo: () => boolean) => {
    const ids: string[] = await rows().pluck('id')
    await until(async () => {
      for (const id of ids) ours.host.registry.get(HeldCalls).wake(id)
      return isSo()
    })
  }
  const state = async ({ stateURL }: BegunRawProcedure) => (await request(stateURL)).json.status

  it('is asked again while it breaks off, fails or keeps silent', async () => {
    answers.POST = broken
    const raw = await withData()
    await soon(() => times('POST') > 1)
    answers.POST = json({ message: 'Unexpected error' }, 500)
    await soon(() => times('POST') > 3)
    answers.POST = json({ message: 'Request rate limit reached' })
    await soon(() => times('POST') > 5)
    answers.POST = silent
    await soon(() => times('POST') > 7)
    expect(await state(raw)).to.equal('new')
    answers.POST = json({ expireAt: 1 })
    await soon(() => times('GET') > 1)
    expect(await state(raw)).to.equal('data')
    answers.GET = (_, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('{"documentsToSign":')
      response.destroy()
    }
    const before = times('GET')
    await soon(() => times('GET') > before + 2)
    expect(await state(raw)).to.equal('data')
    answers.GET = json({ documentsToSign: [], message: 'of the app' })
    expect((await request(raw.signURL)).json).to.deep.equal({ documentsToSign: [], message: 'of the app' })
  })

  const failures: readonly [string, string, Answering][] = [
    ['does not know what it began', 'POST', json({ message: 'QR signing operation is not active' }, 404)],
    ['says under status 200 that it does not take the data', 'POST', json({ message: 'Other endpoint connected' })],
    ['has no result', 'GET', json({ message: 'QR signing operation timeout' }, 409)],
    ['says under status 200 that there is no result', 'GET', json({ message: 'Access denied', requestID: '1' })],
    ['leads elsewhere for the result', 'GET', (_, response) => void response.writeHead(307, { location: url }).end()],
    ['has a result without end', 'GET', (_, response) => void response.end(Buffer.alloc(2 ** 20 + 1, ' '))],
  ]
  for (const [name, method, answer] of failures) {
    it(`fails where the service ${name}`, async () => {
      answers.POST = json({ expireAt: 1 })
      answers[method] = answer
      const raw = await withData()
      await until(async () => (await state(raw)) === 'fail')
      await until(async () => times('DELETE') === 1)
      expect((await request(raw.signURL)).status).to.equal(409)
    })
  }
})
