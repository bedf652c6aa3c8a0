import http from 'node:http'
import { Readable } from 'node:stream'
import { Database } from '@signed-registry/core'
import type { BegunRawProcedure } from '@signed-registry/core/procedures'
import { DevPhone } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { ExpireProcedures } from '#core/procedures/end-procedures.js'
import { addressIn, PhoneError } from '#dev-authorities/phone/dev-phone.js'
import { pathOf } from '#host/monitoring/requests.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postJson, request } from '../../support/http.js'
import { randomData } from '../../support/random-data.js'
import { until } from '../../support/until.js'

const MAX_BYTES = 16 * 2 ** 20
const SIGN = { signMethod: 'CMS_SIGN_ONLY', version: 1 }
const data = (text: string, id = 1) => ({
  ...SIGN,
  documentsToSign: [
    {
      id,
      nameRu: 'а',
      nameKz: 'а',
      nameEn: 'a',
      meta: [],
      document: { file: { mime: '', data: Buffer.from(text).toString('base64') } },
    },
  ],
})

/** Sends bytes as they are, and gives what comes back; rejects when the connection breaks. */
function send(url: string, method: string, body: AsyncIterable<Uint8Array> | Buffer, headers: object = {}) {
  return new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
    const sent = http.request(
      url,
      // A connection whose body was refused half way is not used again.
      { method, agent: false, headers: { 'content-type': 'application/json', ...headers } },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }))
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    if (Buffer.isBuffer(body)) sent.end(body)
    else
      Readable.from(body)
        .on('error', () => sent.destroy())
        .pipe(sent)
  })
}

describe('the log', () => {
  it('shows no secret of a procedure', () => {
    expect(pathOf('/api/govQr/app/SECRET/documents?mgovSign')).to.equal('/api/govQr/app/…/documents')
    expect(pathOf('/api/egovQr/egov/SECRET')).to.equal('/api/egovQr/egov/…')
    expect(pathOf('/api/govQr/SECRET/state')).to.equal('/api/govQr/…/state')
    expect(pathOf('/api/GOVQR/SECRET')).to.equal('/api/GOVQR/…')
    expect(pathOf('/api/AAAA/govQr')).to.equal('/api/AAAA/govQr')
    // However it is written: by the route that was met, or decoded where none was.
    expect(pathOf('/%61pi/%67ovQr/SECRET/state/', '/api/govQr/:qrId/state')).to.equal('/api/govQr/…/state')
    expect(pathOf('/api/auth/gov%51r/SECRET?a', '/api/auth/govQr/:loginId')).to.equal('/api/auth/govQr/…')
    expect(pathOf('/unsubscribe/SECRET', '/unsubscribe/:token')).to.equal('/unsubscribe/…')
    for (const wrong of [
      '/%61pi/%67ovQr/SECRET/x/y',
      '/api//govQr//SECRET',
      '/api/govQr%2FSECRET',
      '/api/govQr/SECRET%',
    ])
      expect(pathOf(wrong), wrong).not.to.include('SECRET')
    expect(pathOf('/api/AAAA%20/data', '/api/:id/data')).to.equal('/api/AAAA%20/data')
  })
})

forEachDatabase((open) => {
  describe('raw QR signing', () => {
    let host: TestHost
    let clock: { time: number; now(): number }
    before(async () => {
      clock = { time: Date.now(), now: () => clock.time }
      host = await startTestHost(open, { clock, registry: { limits: { appWaitMs: 1000, procedureBytes: MAX_BYTES } } })
    })
    after(() => host.close())

    const begin = async (more: object = {}) =>
      (await postJson<BegunRawProcedure>(`${host.url}/api/govQr`, { description: 'Sign this', ...more })).json
    const phone = (algorithm: 'p256' | 'rsa2048' | 'gost512' = 'p256') =>
      new DevPhone(host.authorities.person({ algorithm }))
    const stateOf = async ({ stateURL }: BegunRawProcedure) => (await request(stateURL)).json.status
    /** Resolves once the host holds the call. */
    const isHeld = (side: string) =>
      until(async () => (await host.registry.get(Database).query('registry_held_calls').where({ side })).length > 0)

    it('answers a code, two links and six addresses', async () => {
      const begun = await begin({ whenDone: { backUrl: 'https://portal.example/done' }, unknown: 1 })
      expect(Buffer.from(begun.qrCode, 'base64').subarray(1, 4).toString()).to.equal('PNG')
      expect(begun.expireAt).to.equal(clock.time + 5 * 60_000)
      const address = addressIn(begun.govMobileLaunchLink)
      expect(address).to.match(new RegExp(`^${host.url}/api/govQr/app/[A-Za-z0-9]{22}\\?mgovSign$`))
      expect(begun.govMobileLaunchLink).to.equal(
        `https://m.egov.kz/mobileSign/?link=${encodeURIComponent(address)}&isi=1476128386&ibi=kz.egov.mobile&apn=kz.mobile.mgov`,
      )
      expect(begun.govBusinessLaunchLink).to.equal(
        `https://m.egov.kz/businessSign/?link=${encodeURIComponent(address)}&isi=1597880144&ibi=kz.mobile.mgov.business&apn=kz.mobile.mgov.business`,
      )
      expect(begun.dataURL).to.match(new RegExp(`^${host.url}/api/govQr/[A-Za-z0-9]{22}$`))
      expect(begun.signURL).to.equal(begun.dataURL)
      expect(begun.dataURLAuto).to.equal(begun.dataURL)
      // Who sees the code does not get the signatures.
      expect(begun.dataURL).not.to.include(new URL(address).pathname.split('/').at(-1) ?? '')
    })

    for (const algorithm of ['rsa2048', 'gost512'] as const) {
      it(`passes bytes to the app and back as they are (${algorithm})`, async () => {
        const begun = await begin()
        const body = Buffer.from(` ${JSON.stringify(data('Договор'))}\n\r `)
        const sent = send(begun.dataURL, 'POST', body)
        const result = send(begun.signURL, 'GET', Buffer.alloc(0))
        const app = phone(algorithm)
        const announcement = await app.open(begun.govMobileLaunchLink)
        expect(announcement.description).to.match(/: Sign this$/)
        expect(announcement.expiry_date).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
        const given = await app.documents(announcement)
        expect(given).to.equal(body.toString())
        const { status, body: taken } = await sent
        expect(status).to.equal(200)
        expect(JSON.parse(taken.toString())).to.deep.equal({
          expireAt: begun.expireAt,
          signURL: begun.signURL,
          signURLmTLS: begun.signURLmTLS,
          signURLAuto: begun.signURL,
        })
        let returned = ''
        const answer = await app.answer(announcement, given, {
          change: (json) => {
            returned = JSON.stringify(json)
            return json
          },
        })
        expect([answer.status, answer.text]).to.deep.equal([200, 'success'])
        expect((await result).body.toString()).to.equal(returned)
        // A lost answer is not a lost signature.
        expect((await send(begun.signURL, 'GET', Buffer.alloc(0))).body.toString()).to.equal(returned)
        expect((await send(begun.dataURL, 'POST', body)).status).to.equal(200)
        expect(await stateOf(begun)).to.equal('done')
        clock.time += 5 * 60_000
        expect((await send(begun.signURL, 'GET', Buffer.alloc(0))).status).to.equal(404)
      })
    }

    it('answers backUrl to the app, and the originals to a caller whose user refused', async () => {
      const begun = await begin({ whenDone: { backUrl: 'app-of-mine://back' } })
      const sent = send(begun.dataURL, 'POST', Buffer.from(JSON.stringify(data('a'))))
      const answer = await phone().sign(`mobileSign:${addressIn(begun.govMobileLaunchLink)}`, { cancel: true })
      expect(JSON.parse(answer.text)).to.deep.equal({ backUrl: 'app-of-mine://back' })
      await sent
      const result = await send(begun.signURL, 'GET', Buffer.alloc(0))
      expect(JSON.parse(result.body.toString())).to.deep.equal({ ...data('a'), status: 'CANCELED' })
      for (const backUrl of ['javascript:alert(1)', 'data:text/html,x', '/page', ''])
        expect(
          (await postJson(`${host.url}/api/govQr`, { description: '', whenDone: { backUrl } })).status,
          backUrl,
        ).to.equal(400)
    })

    it('reads nothing of the body before the app comes', async () => {
      const begun = await begin()
      let produced = 0
      async function* endless() {
        for (; produced < 48; produced++) yield Buffer.alloc(256 * 1024, ' ')
        yield Buffer.from(JSON.stringify(data('a')))
      }
      const sent = send(begun.dataURL, 'POST', endless())
      await isHeld('data')
      // Buffers on the way take some; the rest waits with the sender.
      await until(async () => produced > 0)
      expect(produced).to.be.below(48)
      const app = phone()
      const given = await app.documents(await app.open(begun.govMobileLaunchLink))
      expect(given.length).to.be.above(12 * 2 ** 20)
      expect((await sent).status).to.equal(200)
    })

    it('lets the last of several requests win', async () => {
      const begun = await begin()
      const first = send(begun.dataURL, 'POST', Buffer.from(JSON.stringify(data('first'))))
      const waiting = send(begun.signURL, 'GET', Buffer.alloc(0))
      await isHeld('data')
      await isHeld('result')
      const second = send(begun.dataURL, 'POST', Buffer.from(JSON.stringify(data('second'))))
      const last = send(begun.signURL, 'GET', Buffer.alloc(0))
      for (const lost of [await first, await waiting]) {
        expect(lost.status).to.equal(409)
        expect(JSON.parse(lost.body.toString()).message).to.equal('Other endpoint connected')
      }
      const app = phone()
      const announcement = await app.open(begun.govMobileLaunchLink)
      const given = await app.documents(announcement)
      expect(JSON.parse(given)).to.deep.equal(data('second'))
      await app.answer(announcement, given)
      expect((await second).status).to.equal(200)
      expect((await last).status).to.equal(200)
    })

    it('gives the same again to an app that asks again, until it has answered once', async () => {
      const begun = await begin()
      const sent = send(begun.dataURL, 'POST', Buffer.from(JSON.stringify(data('a'))))
      const app = phone()
      const announcement = await app.open(begun.govMobileLaunchLink)
      const given = await app.documents(announcement)
      expect(await app.documents(announcement)).to.equal(given)
      await sent
      // Answers race: one of them is taken.
      const answers = await Promise.all([1, 2, 3].map(() => app.answer(announcement, given)))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409])
      const again = await app.open(begun.govMobileLaunchLink).catch((error: unknown) => error)
      expect(again).to.be.instanceOf(PhoneError).with.nested.property('answer.status', 409)
    })

    it('refuses an app at the wrong step, without its token, or with a code of nobody', async () => {
      const begun = await begin()
      const app = phone()
      const announcement = await app.open(begun.govMobileLaunchLink)
      const early = await app.answer(announcement, JSON.stringify(data('a')))
      expect([early.status, JSON.parse(early.text).message]).to.deep.equal([409, 'Invalid QR signing state'])
      const withoutToken = await request(announcement.document.uri)
      expect(withoutToken.status).to.equal(401)
      expect(withoutToken.json.message).to.equal('Mobile application is not authorized')
      const headers = { authorization: `Bearer ${'é'.repeat(announcement.document.auth_token.length)}` }
      expect((await request(announcement.document.uri, { headers })).status).to.equal(401)
      const other = await app.open((await begin()).govMobileLaunchLink)
      const foreign = { ...announcement, document: { ...announcement.document, auth_token: other.document.auth_token } }
      const refused = await app.documents(foreign).catch((error: unknown) => error)
      expect(refused).to.have.nested.property('answer.status', 401)
      for (const path of ['app/AAAAAAAAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAAAAAAAA/state'])
        expect((await request(`${host.url}/api/govQr/${path}`)).json.message).to.equal(
          'QR signing operation is not active',
        )
      // The secret of the app opens nothing of the caller's, and the other way round.
      const secret = new URL(addressIn(begun.govMobileLaunchLink)).pathname.split('/').at(-1)
      expect((await request(`${host.url}/api/govQr/${secret}`)).status).to.equal(404)
      const id = begun.dataURL.split('/').at(-1)
      expect((await request(`${host.url}/api/govQr/app/${id}`)).status).to.equal(404)
    })

    it('tells an app after a while that no data were uploaded', async () => {
      const begun = await begin()
      const app = phone()
      const announcement = await app.open(begun.govMobileLaunchLink)
      const documents = app.documents(announcement).catch((error: unknown) => error)
      await isHeld('watch')
      clock.time += 1000
      expect(await documents).to.have.nested.property('answer.status', 404)
    })

    it('ends at expireAt for everybody waiting', async () => {
      const begun = await begin()
      const waiting = send(begun.signURL, 'GET', Buffer.alloc(0))
      await isHeld('result')
      clock.time = begun.expireAt
      await host.registry.get(ExpireProcedures).run()
      const { status, body } = await waiting
      expect([status, JSON.parse(body.toString()).message]).to.deep.equal([409, 'QR signing operation timeout'])
      expect((await request(addressIn(begun.govMobileLaunchLink))).status).to.equal(404)
    })

    it('is canceled by who began it', async () => {
      const begun = await begin()
      const waiting = send(begun.signURL, 'GET', Buffer.alloc(0))
      await isHeld('result')
      expect((await request(begun.dataURL, { method: 'DELETE' })).status).to.equal(200)
      expect((await waiting).status).to.equal(409)
      expect(await stateOf(begun)).to.equal('canceled')
      expect((await request(begun.dataURL, { method: 'DELETE' })).status).to.equal(409)
      expect((await request(addressIn(begun.govMobileLaunchLink))).status).to.equal(409)
    })

    it('keeps what was sent byte for byte whatever it is, and refuses more than is allowed', async () => {
      const begun = await begin({ authType: 'None' })
      const bytes = randomData(3_000_001)
      const sent = send(begun.dataURL, 'POST', bytes, { 'content-type': 'application/octet-stream' })
      const { uri } = (await phone().open(begun.govMobileLaunchLink)).document
      expect(Buffer.from(await (await fetch(uri)).arrayBuffer()).equals(bytes)).to.equal(true)
      expect((await sent).status).to.equal(200)
      const returned = randomData(1_000_003)
      expect((await send(uri, 'PUT', returned)).status).to.equal(200)
      const { body } = await send(begun.signURL, 'GET', Buffer.alloc(0))
      expect(body.equals(returned)).to.equal(true)

      const large = await begin({ authType: 'None' })
      async function* tooLarge() {
        for (let n = 0; n <= MAX_BYTES / 2 ** 20; n++) yield Buffer.alloc(2 ** 20, ' ')
      }
      const refused = send(large.dataURL, 'POST', tooLarge())
      const app = phone().open(large.govMobileLaunchLink)
      const documents = fetch((await app).document.uri)
      expect((await refused).status).to.equal(413)
      clock.time += 1000
      expect((await documents).status).to.equal(404)

      // What the app returns is bounded too, and may be sent again.
      const other = await begin({ authType: 'None' })
      const brought = send(other.dataURL, 'POST', Buffer.from('{}'))
      const back = (await phone().open(other.govMobileLaunchLink)).document.uri
      await (await fetch(back)).text()
      await brought
      expect((await send(back, 'PUT', tooLarge())).status).to.equal(413)
      expect(await stateOf(other)).to.equal('data')
      expect((await send(back, 'PUT', Buffer.from('{}'))).status).to.equal(200)
    })

    it('is refused when too many are open', async () => {
      const small = await startTestHost(open, { registry: { shares: { procedures: { stranger: 2 } } } })
      try {
        const post = async () => (await postJson(`${small.url}/api/govQr`, { description: '' })).json.message
        const told = [await post(), await post(), await post()]
        expect(told).to.deep.equal([undefined, undefined, 'Too much users use QR signing'])
      } finally {
        await small.close()
      }
    })
  })
})
