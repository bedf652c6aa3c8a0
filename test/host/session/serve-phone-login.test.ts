import type { AuthenticationResult } from '@signed-registry/core/auth'

import { DevPhone, type Subject } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { forEachDatabase, openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { type Answer, request } from '../../support/http.js'
import { getAs, tokenIn } from '../../support/login-over-http.js'

interface Begun {
  readonly loginId: string
  readonly confirmationCode: string
  readonly govMobileLaunchLink: string
  readonly expireAt: number
}

forEachDatabase((open) => {
  describe('logging in by phone', () => {
    let host: TestHost
    before(async () => {
      host = await startTestHost(open)
    })
    after(() => host.close())

    const post = <T>(path: string, cookie = ''): Promise<Answer<T>> =>
      request<T>(`${host.url}/api/auth/govQr${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: '{}',
      })
    /** A browser that begins: what it was answered, and its cookie. */
    const begin = async () => {
      const { headers, json, text } = await post<Begun>('')
      const set = headers.get('set-cookie') ?? ''
      expect(set, text).to.match(
        /^phone-login=[A-Za-z0-9]{22}; Max-Age=300; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      )
      return { ...json, cookie: set.split(';')[0] ?? '' }
    }
    const state = (loginId: string, cookie: string) => getAs(`${host.url}/api/auth/govQr/${loginId}`, cookie)
    const phoneOf = (subject: Subject) => new DevPhone(subject)

    for (const algorithm of ['rsa2048', 'gost512'] as const) {
      it(`begins the session of the browser that asked (${algorithm})`, async () => {
        const { loginId, cookie, govMobileLaunchLink, confirmationCode } = await begin()
        const person = host.authorities.person({ algorithm })
        const announcement = await phoneOf(person).open(govMobileLaunchLink)
        // The user compares it with the page that they look at.
        expect(announcement.description).to.contain(confirmationCode).and.contain('127.0.0.1')
        expect((await post(`/${loginId}`, cookie)).status).to.equal(409)
        expect((await phoneOf(person).sign(govMobileLaunchLink)).status).to.equal(200)
        expect((await state(loginId, cookie)).json).to.include({ status: 'done' })

        const finished = await post<AuthenticationResult>(`/${loginId}`, cookie)
        expect(finished.status, finished.text).to.equal(200)
        const token = tokenIn(finished)
        const who = await getAs<AuthenticationResult>(`${host.url}/api/auth`, `jwt=${token}`)
        expect(who.json).to.deep.equal(finished.json)
        expect(finished.headers.getSetCookie()[1]).to.match(/^phone-login=; Max-Age=0;/)
        // Once.
        expect((await post(`/${loginId}`, cookie)).status).to.equal(409)
      })
    }

    it('gives the session to no other browser', async () => {
      const [mine, other] = [await begin(), await begin()]
      await phoneOf(host.authorities.person()).sign(mine.govMobileLaunchLink)
      for (const cookie of ['', other.cookie, `phone-login=${'A'.repeat(22)}`]) {
        const refused = await post(`/${mine.loginId}`, cookie)
        expect([refused.status, tokenIn(refused)]).to.deep.equal([404, undefined])
        expect((await state(mine.loginId, cookie)).status).to.equal(404)
      }
      expect((await post(`/${mine.loginId}`, mine.cookie)).status).to.equal(200)
    })

    it('logs nobody in who refused, or whose certificate is not good', async () => {
      const refused = await begin()
      await phoneOf(host.authorities.person()).sign(refused.govMobileLaunchLink, { cancel: true })
      expect((await state(refused.loginId, refused.cookie)).json).to.include({ status: 'canceled' })
      expect((await post(`/${refused.loginId}`, refused.cookie)).status).to.equal(409)

      const bad = await begin()
      const revoked = host.authorities.person()
      host.authorities.revoke(revoked, Date.now() - 60_000)
      expect((await phoneOf(revoked).sign(bad.govMobileLaunchLink)).status).to.equal(403)
      expect((await state(bad.loginId, bad.cookie)).json).to.include({ status: 'fail' })
    })

    it('takes no signature over anything else', async () => {
      const { loginId, cookie, govMobileLaunchLink } = await begin()
      const person = host.authorities.person()
      const change = () => ({
        signMethod: 'CMS_SIGN_ONLY',
        documentsToSign: [
          { id: 'login', document: { file: { data: person.signCms(Buffer.from('a contract')).toString('base64') } } },
        ],
      })
      const { status, text } = await phoneOf(person).sign(govMobileLaunchLink, { change })
      expect([status, JSON.parse(text).message]).to.deep.equal([403, 'Invalid authentication nonce'])
      expect((await state(loginId, cookie)).json).to.include({ status: 'fail' })
    })

    it('tells its state as events', async () => {
      const { loginId, cookie, govMobileLaunchLink } = await begin()
      const headers = { accept: 'text/event-stream', cookie }
      const stream = await fetch(`${host.url}/api/auth/govQr/${loginId}`, { headers })
      expect(stream.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8')
      await phoneOf(host.authorities.person()).sign(govMobileLaunchLink)
      const told = [...(await stream.text()).matchAll(/"status":"(\w+)"/g)].map(([, status]) => status)
      expect(told[0]).to.equal('new')
      expect(told.at(-1)).to.equal('done')
    })
  })
})

describe('the cookie of a login by phone', () => {
  let host: TestHost
  before(async () => {
    host = await startTestHost(openSqlite, { proxies: { trusted: ['127.0.0.1'], certificateHeader: undefined } })
  })
  after(() => host.close())

  const HTTPS = { 'x-forwarded-proto': 'https' }
  const ask = (path: string, headers: Record<string, string>, method: 'GET' | 'POST' = 'GET') =>
    host.app.inject({
      ...{ method, url: `/api/auth/govQr${path}`, headers },
      ...(method === 'POST' && { payload: {} }),
    })

  it('has over HTTPS a name that no other host of the domain can set, and is read by that alone', async () => {
    const begun = await ask('', HTTPS, 'POST')
    const set = String(begun.headers['set-cookie'])
    expect(set).to.match(
      /^__Host-phone-login=[A-Za-z0-9]{22}; Max-Age=300; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    )
    const [cookie = ''] = set.split(';')
    const plain = cookie.replace('__Host-', '')
    const path = `/${begun.json().loginId}`
    const statuses = []
    for (const [given, headers] of [
      [cookie, HTTPS],
      [`${plain}; ${cookie}`, HTTPS],
      [plain, HTTPS],
      [`${cookie}; ${cookie}`, HTTPS],
      [cookie, {}],
      [plain, {}],
    ] as const)
      statuses.push((await ask(path, { ...headers, cookie: given })).statusCode)
    expect(statuses).to.deep.equal([200, 200, 404, 404, 404, 200])
  })
})
