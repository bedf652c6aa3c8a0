import { createHash } from 'node:crypto'
import { Database } from '@signed-registry/core'
import type { BegunRawProcedure } from '@signed-registry/core/procedures'
import { type AppAnnouncement, addressIn, DevPhone } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { ForgetProcedures } from '#core/procedures/end-procedures.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { type Answer, postJson, request } from '../../support/http.js'

const TAKEN = [409, 'QR code or link has already been used']
const MINUTE = 60_000
const DATA = {
  signMethod: 'SIGN_BYTES_ARRAY',
  documentsToSign: [{ id: 1, document: { file: { mime: '', data: 'a' } } }],
}

type App = Answer<AppAnnouncement>
/** The refusal that a phone got. */
const told = ({ status, json }: Answer<object>) => [status, Object(json).message]

forEachDatabase((open) => {
  describe('a code or a link is usable once', () => {
    let database: string
    let host: TestHost
    const clock = { ahead: 0, now: () => Date.now() + clock.ahead }
    const start = () =>
      startTestHost(async () => database, {
        clock,
        proxies: { trusted: ['127.0.0.1'], certificateHeader: undefined },
      })
    before(async () => {
      database = await open()
      host = await start()
    })
    after(() => host.close())

    const begin = async (more: object = {}, at = host) => {
      const { json } = await postJson<BegunRawProcedure>(`${at.url}/api/govQr`, { description: 'Sign this', ...more })
      return { ...json, code: new URL(addressIn(json.govMobileLaunchLink)).pathname }
    }
    /** A phone at an address, with a user agent. */
    const phone = (from = 1, name = 'eGov mobile', at = () => host) => {
      const headers = { 'x-forwarded-for': `192.0.2.${from}`, 'user-agent': name }
      const proofOf = ({ auth_token: token }: AppAnnouncement['document']) =>
        token === '' ? headers : { ...headers, authorization: `Bearer ${token}` }
      const here = (uri: string) => `${at().url}${new URL(uri).pathname}`
      return {
        follow: (code: string, method = 'GET'): Promise<App> => request(`${at().url}${code}`, { method, headers }),
        documents: ({ json: { document } }: App, method = 'GET') =>
          request(here(document.uri), { method, headers: proofOf(document) }),
        answer: ({ json: { document } }: App) =>
          fetch(here(document.uri), { method: 'PUT', headers: proofOf(document), body: JSON.stringify(DATA) }),
      }
    }
    const followed = async (answer: Promise<App>) => {
      const { status, text } = await answer
      expect(status, text).to.equal(200)
      return answer
    }

    it('says so to a second phone, whether the first one has signed or not', async () => {
      const begun = await begin()
      const sent = postJson(begun.dataURL, DATA)
      const [first, second] = [phone(1), phone(2)]
      const announcement = await followed(first.follow(begun.code))
      expect(told(await second.follow(begun.code))).to.deep.equal(TAKEN)
      expect((await first.documents(announcement)).json).to.deep.equal(DATA)
      expect(told(await second.follow(begun.code))).to.deep.equal(TAKEN)
      // By the link as by the code, and by the address of the production service.
      expect(told(await second.follow(`${begun.code}?mgovSign`))).to.deep.equal(TAKEN)
      expect(told(await second.follow(begun.code.replace('govQr/app', 'egovQr/egov')))).to.deep.equal(TAKEN)
      expect((await first.documents(announcement)).json).to.deep.equal(DATA)
      await sent
      expect((await first.answer(announcement)).status).to.equal(200)
      expect(told(await second.follow(begun.code))).to.deep.equal(TAKEN)
      expect((await request(begun.signURL)).json).to.deep.equal(DATA)
    })

    it('leads to an address of its own, which the code does not tell', async () => {
      const begun = await begin({ authType: 'None' })
      const { json } = await followed(phone().follow(begun.code))
      expect(json.document.uri).not.to.include(begun.code.split('/').at(-1) ?? '')
      expect(
        (await phone().documents({ json: { document: { uri: `${host.url}${begun.code}/documents` } } } as App)).status,
      ).to.equal(404)
      const secret = new URL(json.document.uri).pathname.split('/').at(-2) ?? ''
      const kept: Buffer[] = await host.registry.get(Database).query('registry_procedure_phones').pluck('phone_key')
      const hash = createHash('sha256').update(secret).digest('hex')
      expect(kept.map((key) => key.toString('hex'))).to.include(hash)
    })

    it('does not tell the token of a phone by its address', async () => {
      const begun = await begin()
      const { json } = await followed(phone().follow(begun.code))
      const { uri, auth_token: token } = json.document
      expect(uri).not.to.include(token)
      for (const wrong of ['', new URL(uri).pathname.split('/').at(-2) ?? '', token.slice(1)])
        expect((await request(uri, { headers: { authorization: `Bearer ${wrong}` } })).status, wrong).to.equal(401)
    })

    it('is answered again for a minute to the phone that lost the first answer, and to nobody from elsewhere', async () => {
      const begun = await begin()
      await followed(phone(1).follow(begun.code))
      await followed(phone(1).follow(begun.code))
      expect(told(await phone(2).follow(begun.code))).to.deep.equal(TAKEN)
      expect(told(await phone(1, 'another app').follow(begun.code))).to.deep.equal(TAKEN)
      clock.ahead += MINUTE
      expect(told(await phone(1).follow(begun.code))).to.deep.equal(TAKEN)
    })

    it('is answered five times at most', async () => {
      const begun = await begin()
      const statuses = []
      for (let n = 0; n < 6; n++) statuses.push((await phone().follow(begun.code)).status)
      expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 409])
    })

    it('is not answered again once somebody came for the documents', async () => {
      const begun = await begin()
      const sent = postJson(begun.dataURL, DATA)
      const announcement = await followed(phone().follow(begun.code))
      await phone().documents(announcement)
      expect(told(await phone().follow(begun.code))).to.deep.equal(TAKEN)
      await sent
    })

    it('belongs to the first of two that come for the documents from the same place', async () => {
      const begun = await begin()
      const sent = postJson(begun.dataURL, DATA)
      const [mine, other] = [await followed(phone().follow(begun.code)), await followed(phone().follow(begun.code))]
      expect((await phone().documents(mine)).status).to.equal(200)
      expect(told(await phone().documents(other))).to.deep.equal(TAKEN)
      await sent
      const refused = await phone().answer(other)
      expect([refused.status, Object(await refused.json()).code]).to.deep.equal([409, 'qrTaken'])
      expect((await phone().answer(mine)).status).to.equal(200)
      expect(told(await phone().documents(other))).to.deep.equal(TAKEN)
    })

    it('lets one of many in that follow it at once, and gives to one of many that come at once', async () => {
      const begun = await begin()
      const all = await Promise.all([1, 2, 3, 4, 5, 6].map((from) => phone(from).follow(begun.code)))
      expect(all.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409, 409, 409])

      const again = await begin()
      const sent = postJson(again.dataURL, DATA)
      const same = [1, 2, 3].map(() => followed(phone().follow(again.code)))
      const given = await Promise.all((await Promise.all(same)).map((one) => phone().documents(one)))
      expect(given.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409])
      await sent
    })

    it('holds at every host of the registry, and after a host died', async () => {
      const other = await start()
      try {
        const begun = await begin()
        const announcement = await followed(phone(1).follow(begun.code))
        const there = (from: number) => phone(from, 'eGov mobile', () => other)
        expect(told(await there(2).follow(begun.code))).to.deep.equal(TAKEN)
        const sent = postJson(begun.dataURL, DATA)
        expect((await there(1).documents(announcement)).json).to.deep.equal(DATA)
        expect((await phone(1).documents(announcement)).json).to.deep.equal(DATA)
        await sent
        expect((await there(1).answer(announcement)).status).to.equal(200)
      } finally {
        await other.close()
      }
    })

    it('holds for an app that proves its user, whoever that is', async () => {
      const begun = await begin({ authType: 'Eds' })
      const sent = postJson(begun.dataURL, DATA)
      const [mine, other] = [host.authorities.person(), host.authorities.person()].map(
        (one) => new DevPhone(host.authorities.authenticationCertificate(one)),
      )
      const [first, second] = [
        await mine?.open(begun.govMobileLaunchLink),
        await other?.open(begun.govMobileLaunchLink),
      ]
      if (!mine || !other || !first || !second) throw new Error('There are two phones')
      expect(JSON.parse(await mine.documents(first))).to.deep.equal(DATA)
      expect(JSON.parse(await mine.documents(first))).to.deep.equal(DATA)
      const refused = await other.documents(second).catch((error: unknown) => error)
      expect(refused).to.have.nested.property('answer.status', 409)
      await sent
      expect((await mine.answer(first, JSON.stringify(DATA))).status).to.equal(200)
    })

    it('has one user, where two prove themselves on the phone at once', async () => {
      const begun = await begin({ authType: 'Eds' })
      const sent = postJson(begun.dataURL, DATA)
      const users = [host.authorities.person(), host.authorities.person()].map(
        (one) => new DevPhone(host.authorities.authenticationCertificate(one)),
      )
      const announcement = await users[0]?.open(begun.govMobileLaunchLink)
      if (!announcement) throw new Error('There is an answer')
      const given = await Promise.allSettled(users.map((user) => user.documents(announcement)))
      expect(given.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
      await sent
    })

    it('holds for logins', async () => {
      const { json } = await postJson<BegunRawProcedure>(`${host.url}/api/auth/govQr`, {})
      const code = new URL(addressIn(json.govMobileLaunchLink)).pathname
      const announcement = await followed(phone(1).follow(code))
      expect(told(await phone(2).follow(code))).to.deep.equal(TAKEN)
      expect((await phone(1).documents(announcement)).status).to.equal(200)
    })

    it('is not used up by a HEAD request', async () => {
      const begun = await begin()
      await phone(2).follow(begun.code, 'HEAD')
      expect((await request(begun.stateURL)).json).to.include({ status: 'new' })
      const sent = postJson(begun.dataURL, DATA)
      const [mine, other] = [await followed(phone(1).follow(begun.code)), await followed(phone(1).follow(begun.code))]
      await phone(1).documents(other, 'HEAD')
      expect((await request(begun.stateURL)).json).to.include({ status: 'meta' })
      expect((await phone(1).documents(mine)).json).to.deep.equal(DATA)
      await sent
    })

    it('says what became of a procedure that ended before anybody followed its code', async () => {
      const begun = await begin()
      await request(begun.dataURL, { method: 'DELETE' })
      expect(told(await phone().follow(begun.code))).to.deep.equal([409, 'Invalid QR signing state'])
    })

    it('forgets who followed it', async () => {
      const begun = await begin()
      await followed(phone().follow(begun.code))
      clock.ahead += 10 * MINUTE
      await host.registry.get(ForgetProcedures).run()
      expect(await host.registry.get(Database).query('registry_procedure_phones')).to.deep.equal([])
    })
  })
})
