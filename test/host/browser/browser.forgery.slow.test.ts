import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '@signed-registry/core'

import { expect } from 'chai'
import { clientCertificate } from '../../support/client-certificate.js'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { UNTITLED } from '../../support/packages.js'
import { routes } from '../../support/routes.js'
import { listCertificates, openSystemsPort, SystemClient } from '../../support/systems.js'

const PORTAL = 'https://portal.example'
const DEVELOPMENT = [{ method: 'POST', path: '/development/sign', openToOrigins: undefined }]
const WRITES = [
  ...routes.map(({ method, path, operation }) => ({ method, path, openToOrigins: operation.openToOrigins })),
  ...DEVELOPMENT,
].filter(({ method }) => method !== 'GET')

/** Spellings of one URL; routers differ in which of them they accept. */
const FORMS: ReadonlyArray<(path: string) => string> = [
  (path) => `/api${path}`,
  (path) => `/api${path}/`,
  (path) => `/%61pi${path}`,
  (path) => `/%61%70%69${path}/?a`,
  (path) => `//api${path}`,
  (path) => `/API${path}`,
  (path) => `/api${path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}`,
]

describe('cross-site request forgery', () => {
  let host: TestHost
  let cookie: string
  before(async () => {
    host = await startTestHost(openSqlite, { corsOrigins: [PORTAL] })
    cookie = await logInOverHttp(host.url, host.authorities.person())
  })
  after(() => host.close())

  const own = () => new URL(host.url)
  const send = (method: string, url: string, headers: Record<string, string>) =>
    host.app.inject({
      ...{ method: method as 'POST', url },
      headers: { host: own().host, cookie, 'content-type': 'text/plain', ...headers },
      payload: 'x',
    })
  const codeOf = async (...asked: Parameters<typeof send>): Promise<string> => (await send(...asked)).json().code
  const addressOf = (path: string) => path.replace(/:\w+/g, 'AAAAAAAAAAAAAAAA')
  const strange = (): Array<Record<string, string>> => [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: `${host.url}0` },
    { origin: `${PORTAL}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none, cross-site' },
    // Where they disagree, the stricter counts.
    { origin: host.url, 'sec-fetch-site': 'same-site' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'none' },
  ]
  const familiar = (): Array<Record<string, string>> => [
    {},
    { origin: host.url },
    { origin: host.url, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: PORTAL, 'sec-fetch-site': 'cross-site' },
    // A proxy that rewrites `Host` and is not configured as trusted.
    { origin: 'https://public.example', 'sec-fetch-site': 'same-origin' },
  ]

  it('is refused on every route that changes something, however its URL is spelled', async () => {
    let reached = 0
    for (const { method, path, openToOrigins } of WRITES) {
      if (openToOrigins) continue
      for (const form of FORMS) {
        for (const headers of strange()) {
          const answer = await send(method, form(addressOf(path)), headers)
          const asked = `${method} ${form(path)} ${JSON.stringify(headers)}`
          expect(answer.json().code, asked).to.be.oneOf(['foreignOrigin', 'invalidRoute'])
          expect(answer.statusCode, asked).to.equal(answer.json().code === 'foreignOrigin' ? 403 : 404)
          expect(answer.headers).not.to.have.property('access-control-allow-origin')
          if (answer.statusCode === 403) reached += 1
        }
      }
    }
    expect(reached).to.be.above(WRITES.length * strange().length)
  })

  it('is taken from our pages, from those of a listed origin, and from programs', async () => {
    for (const { method, path } of WRITES) {
      for (const headers of familiar()) {
        const asked = `${method} ${path} ${JSON.stringify(headers)}`
        expect(await codeOf(method, FORMS[0]?.(addressOf(path)) ?? '', headers), asked).not.to.equal('foreignOrigin')
      }
    }
  })

  it('is judged by the cookies that we set, also where there are several, and not by those of others', async () => {
    const headers = { origin: 'https://evil.example' }
    for (const ours of ['jwt=x', 'a=b;  jwt =x', 'jwt=a; jwt=b', 'jwt=', 'phone-login=x', '__Host-phone-login=x'])
      expect(await codeOf('POST', '/api/settings', { ...headers, cookie: ours }), ours).to.equal('foreignOrigin')
    for (const others of ['', 'a=jwt', 'lang=kk', 'xjwt=1'])
      expect(await codeOf('POST', '/api/settings', { ...headers, cookie: others }), others).not.to.equal(
        'foreignOrigin',
      )
  })

  it('is processed anonymously where everybody may ask, however the URL is spelled', async () => {
    const beginner = async (url: string, headers: Record<string, string>) => {
      const { statusCode, headers: got } = await host.app.inject({
        ...{ method: 'POST', url, payload: { description: '' } },
        headers: { host: own().host, cookie, ...headers },
      })
      if (statusCode === 404) return undefined
      expect([statusCode, got['set-cookie']], url).to.deep.equal([200, undefined])
      const rows = host.registry.get(Database).query('registry_procedures')
      return (await rows.orderBy('created_at', 'desc').orderByRaw('rowid desc').first()).begun_by
    }
    for (const form of FORMS) {
      for (const headers of strange())
        expect(await beginner(form('/govQr'), headers), form('/govQr')).to.be.oneOf(['at 127.0.0.1', undefined])
      expect(await beginner(form('/govQr'), { origin: host.url })).to.satisfy(
        (name: string | undefined) => name === undefined || name.startsWith('IIN'),
      )
    }
    for (const url of ['/api/', '/%61pi', '/api/govQr/', '/api/%67ovQr']) {
      const asked = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
      const { statusCode, headers } = await host.app.inject({ method: 'OPTIONS', url, headers: asked })
      expect([statusCode, headers['access-control-allow-origin']], url).to.deep.equal([204, '*'])
    }
  })

  it('is refused where operators let nobody in', async () => {
    const closed = await startTestHost(openSqlite, { corsAnonymous: false })
    const headers = { origin: 'https://evil.example', cookie: 'jwt=x' }
    for (const url of ['/api/govQr', '/api/', '/%61pi/govQr']) {
      const answer = await closed.app.inject({ method: 'POST', url, headers, payload: {} })
      expect(answer.json().code, url).to.equal('foreignOrigin')
    }
    await closed.close()
  })

  it('is refused without TLS for a host that has it, whose line somebody may hold', async () => {
    const site = 'https://registry.example'
    const proxied = await startTestHost(openSqlite, {
      proxies: { trusted: ['127.0.0.1'], certificateHeader: undefined },
    })
    const ask = (origin: string) =>
      proxied.app.inject({
        ...{ method: 'POST', url: '/api/settings', payload: {} },
        headers: { host: 'registry.example', 'x-forwarded-proto': 'https', cookie: 'jwt=x', origin },
      })
    expect((await ask('http://registry.example')).json().code).to.equal('foreignOrigin')
    expect((await ask(site)).json().code).not.to.equal('foreignOrigin')
    await proxied.close()
  })

  it('is refused where a browser shows the certificate of a system', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'forgery-'))
    const certificate = clientCertificate()
    await listCertificates(host.registry, [certificate])
    const port = await openSystemsPort(host.app, folder)
    const client = new SystemClient(port.port, certificate)
    const ask = (headers: Record<string, string>) =>
      client.ask('POST', '/package', { ...UNTITLED, documents: [UNTITLED] }, headers)
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect(await ask(headers)).to.nested.include({ status: 403, 'json.code': 'foreignOrigin' })
    expect((await ask({})).status).to.equal(200)
    client.close()
    await port.close()
    rmSync(folder, { recursive: true })
  })

  it('is refused at the unsubscribe link, too', async () => {
    const { statusCode, body } = await send('POST', '/unsubscribe/x', { origin: 'https://evil.example' })
    expect([statusCode, JSON.parse(body).code]).to.deep.equal([403, 'foreignOrigin'])
    expect((await send('POST', '/unsubscribe/x', {})).statusCode).to.equal(404)
  })
})
