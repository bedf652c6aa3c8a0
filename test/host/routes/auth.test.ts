import type { AuthenticationResult } from '@signed-registry/core/auth'

import type { Subject } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { forEachDatabase, openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postJson, request } from '../../support/http.js'
import { readJwt, writeJwt } from '../../support/jwt.js'
import { signNonce, signNonceXml } from '../../support/login.js'
import { getAs, logInOverHttp, postLogin, requestNonce, tokenIn } from '../../support/login-over-http.js'

const SECRET = 's'.repeat(32)
const iin = '123456789011'
const bin = '123456789021'

forEachDatabase((open) => {
  describe('authentication over HTTP', () => {
    let host: TestHost
    let person: Subject
    before(async () => {
      host = await startTestHost(open, { sessionSecrets: [SECRET] })
      person = host.authorities.person({ iin, email: 'person@example.kz', use: 'authentication' })
    })
    after(() => host.close())
    const auth = () => `${host.url}/api/auth`

    it('answers a nonce to an empty object', async () => {
      const { status, json } = await postJson(auth(), {})
      expect(status).to.equal(200)
      expect(json).to.have.all.keys('nonce')
      expect(Buffer.from(String(json.nonce), 'base64').toString()).to.match(
        /^Вход \/ Кіру \/ Log in: .+\n.+\nlogin-nonce:[0-9a-f]{40}$/,
      )
    })

    it('sets the cookie jwt: Secure, HttpOnly, SameSite=Strict, Path=/', async () => {
      const answer = await postLogin(host.url, person)
      expect(answer.status).to.equal(200)
      expect(answer.json).to.include({ userId: `IIN${iin}`, email: 'person@example.kz' })
      expect(answer.headers.get('set-cookie')).to.match(
        /^jwt=[\w-]+\.[\w-]+\.[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      )
      const { header, claims } = readJwt(tokenIn(answer) ?? '')
      expect(header).to.include({ alg: 'HS256' })
      expect(claims).to.include({ iin: `IIN${iin}` })
    })

    it('answers GET /api/auth with the same body, and 401 to anybody else', async () => {
      const { json, ...answer } = await postLogin(
        host.url,
        host.authorities.employee({ iin, bin, email: 'a@example.kz' }),
      )
      expect((await getAs(auth(), `jwt=${tokenIn(answer)}`)).json).to.deep.equal(json)
      const refused = await request(auth())
      expect(refused.status).to.equal(401)
      expect(refused.json).to.include({ message: 'Authentication required' })
    })

    it('takes XML, and signatures of other certificates, on the same terms', async () => {
      const nonce = await requestNonce(host.url)
      const answer = await postJson(auth(), { nonce, signature: signNonceXml(person, nonce) })
      expect(answer.json).to.include({ userId: `IIN${iin}` })
      expect(tokenIn(answer)).to.not.equal(undefined)
    })

    it('sets no cookie and makes no profile in external mode', async () => {
      const stranger = host.authorities.person({ email: 'stranger@example.kz' })
      const answer = await postLogin(host.url, stranger, { external: true })
      expect(answer.status).to.equal(200)
      expect(answer.headers.get('set-cookie')).to.equal(null)
      const cookie = await logInOverHttp(host.url, stranger)
      expect((await getAs(`${host.url}/api/authLog`, cookie)).json).to.include({ eventsTotal: 1 })
    })

    it('logs out: the cookie is emptied with Max-Age=0 and an Expires in the past', async () => {
      for (const headers of [{}, { cookie: await logInOverHttp(host.url, person) }]) {
        const answer = await request(auth(), {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: '{"logout":true}',
        })
        expect(answer.json).to.deep.equal({})
        const cookie = answer.headers.get('set-cookie') ?? ''
        expect(cookie).to.match(
          /^jwt=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
        )
      }
    })

    it('logs out: a copy of the token is invalid', async () => {
      const cookie = await logInOverHttp(host.url, person)
      const other = await logInOverHttp(host.url, person)
      await request(auth(), {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: '{"logout":true}',
      })
      expect((await getAs(auth(), cookie)).status).to.equal(401)
      expect((await getAs(auth(), other)).status).to.equal(200)
    })

    it('ends a session whose certificate was revoked when its token is due to be renewed', async () => {
      const fired = host.authorities.person()
      const cookie = await logInOverHttp(host.url, fired)
      const { header, claims } = readJwt(cookie.slice('jwt='.length))
      const due = `jwt=${writeJwt({ header, claims: { ...claims, exp: Math.floor(Date.now() / 1000) + 600 } }, SECRET)}`
      host.authorities.revoke(fired)
      // The status of the login holds for minutes.
      expect(tokenIn(await getAs(auth(), due))).to.not.equal(undefined)
      const { query } = host.registry.get(Database)
      await query('registry_authentications').where({ session_id: claims.sid }).update({ good_at: 0 })
      const answer = await getAs(auth(), due)
      expect([answer.status, tokenIn(answer)]).to.deep.equal([401, undefined])
      expect((await getAs(auth(), cookie)).status).to.equal(401)
    })

    it('logs when, with which certificate, and from where somebody logged in', async () => {
      const employee = host.authorities.employee({ bin })
      const cookie = await logInOverHttp(host.url, employee)
      const { json } = await getAs<{ userId: string; events: object[] }>(`${host.url}/api/authLog`, cookie)
      expect(json).to.include({ businessId: `BIN${bin}`, eventsTotal: 1 })
      expect(json.events[0]).to.have.all.keys('authAt', 'serialNumber', 'issuer', 'ip')
      expect(json.events[0]).to.include({ ip: '127.0.0.1' })
    })

    it('shows the caller to every other address', async () => {
      const cookie = await logInOverHttp(host.url, person)
      expect((await getAs(`${host.url}/api/settings`, cookie)).json).to.include({ userId: `IIN${iin}` })
      expect((await getAs(`${host.url}/api/organizationSettings`, cookie)).json).to.include({
        message: 'User does not represent an organization',
      })
      expect((await request(`${host.url}/api/settings`)).status).to.equal(401)
    })

    it('refuses other forms of the request', async () => {
      const nonce = await requestNonce(host.url)
      const bodies = [
        { nonce },
        { signature: 'AAAA' },
        { logout: false },
        { logout: true, nonce },
        { nonce: 1, signature: 'A' },
        { nonce, signature: 'A', external: 'yes' },
        [],
        'null',
      ]
      for (const body of bodies) {
        const { json, status } = await postJson(auth(), body)
        expect([status, json.message], JSON.stringify(body)).to.deep.equal([400, 'Invalid JSON request structure'])
      }
    })

    it('refuses a login that a form of another site posts', async () => {
      const nonce = await requestNonce(host.url)
      const body = JSON.stringify({ nonce, signature: signNonce(person, nonce) })
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const answer = await request(auth(), { method: 'POST', headers: { 'content-type': type }, body })
        expect(answer.json).to.include({ message: 'Invalid HTTP request headers' })
        expect(answer.headers.get('set-cookie')).to.equal(null)
      }
    })

    it('takes no edited, planted or foreign token for a session', async () => {
      const cookie = await logInOverHttp(host.url, person)
      const token = cookie.slice('jwt='.length)
      const { header, claims } = readJwt(token)
      const other = { ...claims, iin: 'IIN000000000000' }
      const forged = [
        writeJwt({ header: { ...header, alg: 'none' }, claims }),
        writeJwt({ header, claims: other }, 'guess'),
        token.replace(/\.[\w-]+\./, `.${Buffer.from(JSON.stringify(other)).toString('base64url')}.`),
      ].map((made) => `jwt=${made}`)
      for (const made of [...forged, `${cookie}; ${cookie}`, 'jwt=', 'jwt=x', `JWT=${token}`]) {
        expect((await getAs(auth(), made)).status, made).to.equal(401)
      }
      const known = writeJwt({ header, claims: other }, SECRET)
      expect((await getAs(auth(), `jwt=${known}`)).status).to.equal(401)
      const bearer = { headers: { authorization: `Bearer ${token}` } }
      expect((await request(auth(), bearer)).status).to.equal(401)
      expect((await request(`${auth()}?jwt=${token}`)).status).to.equal(401)
    })

    it('renews a cookie that has little life left, on any call and whatever it answers, and never past the end', async () => {
      const cookie = await logInOverHttp(host.url, person)
      const { header, claims } = readJwt(cookie.slice('jwt='.length))
      const now = Math.floor(Date.now() / 1000)
      const withLife = (exp: number, until = now + 3600) =>
        `jwt=${writeJwt({ header, claims: { ...claims, exp, until } }, SECRET)}`
      expect(tokenIn(await getAs(`${host.url}/api/version`, withLife(now + 20 * 60)))).to.equal(undefined)
      for (const path of ['/api/version', '/api/auth', '/api/nowhere/at/all', '/api/organizationSettings']) {
        const answer = await getAs(`${host.url}${path}`, withLife(now + 10 * 60))
        const renewed = readJwt(tokenIn(answer) ?? '')
        expect(renewed.claims.exp, path).to.be.greaterThan(now + 29 * 60)
        expect(renewed.claims).to.include({ until: now + 3600, auth_time: claims.auth_time })
      }
      const last = await getAs(auth(), withLife(now + 300, now + 300))
      expect([last.status, tokenIn(last)]).to.deep.equal([200, undefined])
      expect((await getAs(auth(), withLife(now - 1))).status).to.equal(401)
    })

    it('lets nobody go on in a session of somebody else, who knows the secret and has a session', async () => {
      const mine = readJwt(tokenIn(await postLogin(host.url, host.authorities.person())) ?? '')
      const theirs = readJwt(tokenIn(await postLogin(host.url, person)) ?? '').claims
      const status = async (claims: object) => {
        const token = writeJwt({ header: mine.header, claims: { ...mine.claims, ...claims } }, SECRET)
        return (await getAs(auth(), `jwt=${token}`)).status
      }
      expect(await status({})).to.equal(200)
      expect(await status({ iin: theirs.iin })).to.equal(401)
      for (const sid of [1, 2, 3, '1', 'S'.repeat(22)]) expect(await status({ iin: theirs.iin, sid })).to.equal(401)
      expect(await status({ bin: `BIN${bin}` })).to.equal(401)
    })

    it('keeps a session no longer than the certificate is valid', async () => {
      const soon = Date.now() + 60_000
      const answer = await postLogin(host.url, host.authorities.person({ validUntil: soon }))
      const { claims } = readJwt(tokenIn(answer) ?? '')
      expect(claims.until).to.equal(Math.floor(answer.json.certificateValidUntil / 1000))
      expect(claims.exp).to.equal(claims.until)
    })

    it('tells nobody more than the message when a login fails', async () => {
      const revoked = host.authorities.person()
      host.authorities.revoke(revoked)
      const answer = await postLogin(host.url, revoked)
      expect(answer.status).to.equal(422)
      expect(answer.json).to.include({ message: 'Invalid certificate status' })
      expect(answer.headers.get('set-cookie')).to.equal(null)
      expect(answer.headers.get('cache-control')).to.equal('no-store')
    })
  })
})

describe('sessions of hosts with the same secret', () => {
  it('are the same sessions', async () => {
    const database = await openSqlite()
    const first = await startTestHost(async () => database, { sessionSecrets: [SECRET] })
    const second = await startTestHost(async () => database, { sessionSecrets: ['n'.repeat(32), SECRET] })
    try {
      const cookie = await logInOverHttp(first.url, first.authorities.person({ iin }))
      const { json } = await getAs<AuthenticationResult>(`${second.url}/api/auth`, cookie)
      expect(json.userId).to.equal(`IIN${iin}`)
    } finally {
      await first.close()
      await second.close()
    }
  })
})
