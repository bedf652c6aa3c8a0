import { mock } from 'node:test'
import { Database } from '@signed-registry/core'

import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { request } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { routes } from '../../support/routes.js'

const PORTAL = 'https://portal.example'

describe('browsers', () => {
  let closed: TestHost
  let open: TestHost
  before(async () => {
    closed = await startTestHost(openSqlite)
    open = await startTestHost(openSqlite, { corsOrigins: [PORTAL] })
  })
  after(async () => {
    await closed.close()
    await open.close()
  })
  const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'))
  const preflight = (host: TestHost, origin: string) =>
    request(`${host.url}/api/auth`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    })

  it('keep every answer from pages of other origins by default', async () => {
    const answer = await request(`${closed.url}/api/version`, { headers: { origin: PORTAL } })
    expect(corsHeaders(answer.headers)).to.deep.equal([])
    const refused = await preflight(closed, PORTAL)
    expect([refused.status, corsHeaders(refused.headers)]).to.deep.equal([405, []])
  })

  it('let pages of a listed origin in, with cookies, errors too', async () => {
    const allowed = await preflight(open, PORTAL)
    expect(allowed.status).to.equal(204)
    expect(allowed.headers.get('access-control-allow-origin')).to.equal(PORTAL)
    expect(allowed.headers.get('access-control-allow-headers')).to.equal('content-type, idempotency-key')
    expect(allowed.headers.get('access-control-allow-methods')).to.equal(
      [...new Set(routes.map(({ method }) => method))].join(', '),
    )
    for (const path of ['/api/version', '/api/auth', '/api/nowhere/at/all']) {
      const { headers } = await request(`${open.url}${path}`, { headers: { origin: PORTAL } })
      expect(headers.get('access-control-allow-origin'), path).to.equal(PORTAL)
      expect(headers.get('access-control-allow-credentials')).to.equal('true')
      expect(headers.get('vary')).to.equal('origin')
    }
  })

  it('keep answers from every other origin', async () => {
    const origins = [
      'https://evil.example',
      'null',
      `${PORTAL}.evil.example`,
      'http://portal.example',
      `${PORTAL}:8443`,
    ]
    for (const origin of origins) {
      const { headers } = await request(`${open.url}/api/version`, { headers: { origin } })
      expect(corsHeaders(headers), origin).to.deep.equal([])
      expect(headers.get('vary')).to.equal('origin')
      expect((await preflight(open, origin)).status).to.equal(405)
    }
  })

  describe('let pages of any origin, as nobody,', () => {
    const STRANGE = 'https://strange.example'
    const PATHS = [
      ['POST', ''],
      ['POST', '/AAAAAAAAAAAAAAAA/data'],
      ['POST', '/govQr'],
      ['POST', '/govQr/AAAAAAAAAAAAAAAAAAAAAA'],
      ['GET', '/govQr/AAAAAAAAAAAAAAAAAAAAAA'],
      ['DELETE', '/govQr/AAAAAAAAAAAAAAAAAAAAAA'],
      ['GET', '/govQr/AAAAAAAAAAAAAAAAAAAAAA/state'],
      ['POST', '/egovQr'],
      ['POST', '/egovQr/AAAAAAAAAAAAAAAAAAAAAA'],
      ['GET', '/egovQr/AAAAAAAAAAAAAAAAAAAAAA'],
    ] as const

    it('call what asks for no session, refusals too, and nothing else', async () => {
      for (const [method, path] of PATHS) {
        const headers = { origin: STRANGE, 'content-type': 'application/json' }
        const body = method === 'POST' ? { body: 'no JSON' } : {}
        const { headers: got } = await request(`${closed.url}/api${path}`, { method, headers, ...body })
        expect(got.get('access-control-allow-origin'), `${method} ${path}`).to.equal('*')
        expect(got.has('access-control-allow-credentials')).to.equal(false)
        expect(got.get('vary')).to.equal('origin')
        const asked = { origin: STRANGE, 'access-control-request-method': method }
        const flight = await request(`${closed.url}/api${path}?a`, { method: 'OPTIONS', headers: asked })
        expect([flight.status, flight.headers.get('access-control-allow-origin')]).to.deep.equal([204, '*'])
        expect(flight.headers.get('access-control-allow-methods')?.split(', ')).to.include(method)
        expect(flight.headers.has('access-control-allow-credentials')).to.equal(false)
      }
      for (const { method, path, operation } of routes) {
        if (operation.openToOrigins) continue
        const asked = { origin: STRANGE, 'access-control-request-method': method }
        const flight = await request(`${closed.url}/api${path.replace(/:\w+/g, 'AAAAAAAAAAAAAAAA')}`, {
          method: 'OPTIONS',
          headers: asked,
        })
        expect(corsHeaders(flight.headers), `${method} ${path}`).to.deep.equal([])
      }
    })

    it('come without session, whatever cookies a browser sends along', async () => {
      const cookie = await logInOverHttp(closed.url, closed.authorities.person())
      /** Begins a procedure; gives whom the host recorded as its owner. */
      const beginner = async (headers: Record<string, string>) => {
        const asked = { cookie, 'content-type': 'application/json', ...headers }
        const answer = await request(`${closed.url}/api/govQr`, {
          method: 'POST',
          headers: asked,
          body: JSON.stringify({ description: '' }),
        })
        expect([answer.status, answer.headers.has('set-cookie')]).to.deep.equal([200, false])
        const rows = closed.registry.get(Database).query('registry_procedures')
        return (await rows.orderBy('created_at', 'desc').orderByRaw('rowid desc').first()).begun_by
      }
      const stranger = 'at 127.0.0.1'
      for (const origin of [STRANGE, 'null', `${closed.url}0`]) {
        expect(await beginner({ origin }), origin).to.equal(stranger)
        expect(await beginner({ origin, 'sec-fetch-site': 'same-site' })).to.equal(stranger)
      }
      expect(await beginner({})).to.match(/^IIN/)
      expect(await beginner({ origin: closed.url })).to.match(/^IIN/)
      expect(await beginner({ origin: 'https://public.example', 'sec-fetch-site': 'same-origin' })).to.match(/^IIN/)
    })

    it('do none of it when the operator disables it', async () => {
      const off = await startTestHost(openSqlite, { corsAnonymous: false })
      const { status, headers } = await request(`${off.url}/api/govQr`, {
        method: 'POST',
        headers: { origin: STRANGE, 'content-type': 'application/json' },
        body: JSON.stringify({ description: '' }),
      })
      expect([status, corsHeaders(headers)]).to.deep.equal([200, []])
      await off.close()
    })
  })

  it('get security headers with every answer', async () => {
    for (const path of ['/api/version', '/api/nowhere/at/all', '/readyz', '/nowhere']) {
      const { headers } = await request(`${closed.url}${path}`)
      expect(headers.get('x-content-type-options'), path).to.equal('nosniff')
      expect(headers.get('content-security-policy')).to.equal("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('x-frame-options')).to.equal('DENY')
      expect(headers.get('referrer-policy')).to.equal('no-referrer')
      expect(headers.has('strict-transport-security')).to.equal(false)
      expect(headers.has('x-powered-by')).to.equal(false)
    }
    const { headers } = await request(`${closed.url}/api/version`)
    expect(headers.get('cache-control')).to.equal('no-store')
  })

  it('can still read the API reference, whose own policy lets its scripts run', async () => {
    const response = await fetch(`${closed.url}/docs/`)
    expect(response.status).to.equal(200)
    expect(response.headers.get('content-security-policy')).to.match(/script-src 'self'/)
    expect(response.headers.get('x-frame-options')).to.equal('DENY')
    const script = /src="([^"]+\.js)"/.exec(await response.text())?.[1]
    const loaded = await fetch(new URL(script ?? '', response.url))
    expect([loaded.status, (await loaded.text()).length > 0]).to.deep.equal([200, true])
  })
})

describe('the rate of requests', () => {
  let host: TestHost
  before(async () => {
    host = await startTestHost(openSqlite, { rates: { anonymous: 6, caller: 3, holdMs: 0 } })
    // Rates depend on a clock: on a slow machine more requests would pass.
    const now = performance.now()
    mock.method(performance, 'now', () => now)
  })
  after(async () => {
    await host.close()
    mock.restoreAll()
  })

  it('is limited for an address, then for each caller, with Retry-After; health is not counted', async () => {
    const cookie = await logInOverHttp(host.url, host.authorities.person())
    const statuses = async (path: string, count: number, headers = {}) => {
      const found: number[] = []
      for (let i = 0; i < count; i += 1) found.push((await request(`${host.url}${path}`, { headers })).status)
      return found
    }
    expect(await statuses('/api/version', 3)).to.deep.equal([200, 200, 200])
    expect((await statuses('/api/nowhere/at/all', 2)).at(-1)).to.equal(429)
    const refused = await request(`${host.url}/api/version`)
    expect(refused.json).to.include({ message: 'Request rate limit reached', code: 'rateLimitReached' })
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 10)
    expect(await statuses('/api/version', 4, { cookie })).to.deep.equal([200, 200, 200, 429])
    expect(await statuses('/api/version', 1, { cookie: 'jwt=forged' })).to.deep.equal([429])
    expect(await statuses('/readyz', 3)).to.deep.equal([200, 200, 200])
  })
})
