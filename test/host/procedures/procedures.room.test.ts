import { ArchiveStore, openAdministration, provideValue } from '@signed-registry/core'
import { BeginRawProcedure, type ProcedureState } from '@signed-registry/core/procedures'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { type Answer, postBytes, postJson, request } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { MemoryStore } from '../../support/memory-store.js'
import { UNTITLED } from '../../support/packages.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

interface Begun {
  readonly message?: string
  /** The state of this one, as who began it asks for it. */
  state(): Promise<ProcedureState['status']>
}

const BIN = '123456789012'
const SHARE = { stranger: 3, strangers: 6 }

forEachDatabase((open) => {
  describe('room for procedures of anonymous callers', () => {
    const authorities = presentAuthorities()
    let host: TestHost
    let database: string
    beforeEach(async () => {
      database = await open()
      host = await startTestHost(async () => database, {
        proxies: { trusted: ['127.0.0.1'], certificateHeader: undefined },
        authorities,
        plugins: [
          devAuthorities({ authorities }),
          { name: 'memory', provides: [provideValue(ArchiveStore, new MemoryStore())] },
        ],
        registry: { shares: { procedures: { ...SHARE, person: 2 }, logins: SHARE } },
      })
    })
    afterEach(() => host.close())

    const post = (path: string, from: number, cookie = '') =>
      request<Record<string, string>>(`${host.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${from}`, cookie },
        body: JSON.stringify({ description: 'Sign this' }),
      })
    const statusAt = async (url: string, cookie = '') =>
      (await request<ProcedureState>(url, { headers: { cookie } })).json.status

    const kinds = {
      async raw(from: number): Promise<Answer & Begun> {
        const answer = await post('/api/govQr', from)
        return { ...answer, state: () => statusAt(answer.json.stateURL ?? '') }
      },
      async login(from: number): Promise<Answer & Begun> {
        const answer = await post('/api/auth/govQr', from)
        const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
        return { ...answer, state: () => statusAt(`${host.url}/api/auth/govQr/${answer.json.loginId}`, cookie) }
      },
    }

    for (const [kind, begin] of Object.entries(kinds)) {
      const beginAll = async (...from: number[]) => {
        const begun: Awaited<ReturnType<typeof begin>>[] = []
        for (const one of from) begun.push(await begin(one))
        return begun
      }
      const statesOf = (begun: readonly Begun[]) => Promise.all(begun.map(({ state }) => state()))

      it(`is refused to an address that has its share, and to nobody else (${kind})`, async () => {
        await beginAll(1, 1, 1)
        const refused = await begin(1)
        expect([refused.status, refused.json.message]).to.deep.equal([429, 'Too much users use QR signing'])
        expect(refused.headers.get('retry-after')).to.equal('60')
        expect((await begin(2)).status).to.equal(200)
      })

      it(`is made for others where addresses have taken all of it: who has most gives the oldest (${kind})`, async () => {
        const begun = await beginAll(1, 1, 1, 2, 2, 2)
        const [other] = await beginAll(3)
        expect(other?.status, other?.text).to.equal(200)
        expect(await statesOf(begun)).to.deep.equal(['new', 'new', 'new', 'fail', 'new', 'new'])
        // Others keep theirs, whatever the two begin.
        const more = await beginAll(1, 2, 4, 1, 2)
        expect(more.map(({ status }) => status)).to.deep.equal([429, 429, 200, 429, 429])
        expect(await statesOf(begun)).to.deep.equal(['fail', 'new', 'new', 'fail', 'new', 'new'])
        expect(await other?.state()).to.equal('new')
      })

      it(`is refused where as many addresses as there is room have one each (${kind})`, async () => {
        const begun = await beginAll(1, 2, 3, 4, 5, 6)
        expect((await begin(7)).status).to.equal(429)
        expect((await begin(1)).status).to.equal(429)
        expect(new Set(await statesOf(begun))).to.deep.equal(new Set(['new']))
      })
    }

    it('is none for documents and packages, either, once a person has their share, or an organization no such feature', async () => {
      const employee = authorities.employee({ bin: BIN })
      const cookie = await logInOverHttp(host.url, employee)
      const original = Buffer.from('contract')
      const signature = employee.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
      const settings = { tempStorageAfterRegistration: 60_000 }
      const registered = await postJson<{ documentId: string }>(`${host.url}/api`, { signature, settings })
      await postBytes(`${host.url}/api/${registered.json.documentId}/data`, original)
      const whole = { ...UNTITLED, documents: [UNTITLED], documentsSettings: settings }
      const packaged = await request<{ packageId: string; documentsIds: string[] }>(`${host.url}/api/package`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(whole),
      })
      expect(packaged.status, packaged.text).to.equal(200)
      await request(`${host.url}/api/${packaged.json.documentsIds[0]}/data`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', cookie },
        body: original.toString(),
      })
      const [ofDocument, ofPackage] = [`/api/${registered.json.documentId}`, `/api/package/${packaged.json.packageId}`]
      expect((await post(`${ofDocument}/govQr`, 1, cookie)).status).to.equal(200)
      expect((await post(`${ofPackage}/govQr`, 1, cookie)).status).to.equal(200)
      const refusals = () => Promise.all([ofDocument, ofPackage].map((of) => post(`${of}/govQr`, 1, cookie)))
      const codes = async () => (await refusals()).map(({ status, json }) => [status, json.code])
      expect(await codes()).to.deep.equal([
        [429, 'qrTooMany'],
        [429, 'qrTooMany'],
      ])
      const administration = await openAdministration({ database })
      await administration.changeSubscription(`BIN${BIN}`, { disable: ['governmentMobileSigning'] })
      await administration.close()
      expect(await codes()).to.deep.equal([
        [403, 'featureNotAvailable'],
        [403, 'featureNotAvailable'],
      ])
    })

    it('is another one for logins, and callers who are known do not wait for it', async () => {
      for (let from = 1; from <= 6; from++) await kinds.raw(from)
      expect((await kinds.raw(7)).status).to.equal(429)
      expect((await kinds.login(7)).status).to.equal(200)
      const cookie = await logInOverHttp(host.url, host.authorities.person())
      const statuses = [1, 2, 3].map(async () => (await post('/api/govQr', 7, cookie)).status)
      for (const status of await Promise.all(statuses)) expect(status).to.be.oneOf([200, 429])
      expect((await post('/api/govQr', 7, cookie)).status).to.equal(429)
      const system = host.registry.get(BeginRawProcedure)
      for (let n = 0; n < 10; n++) await system.execute(systemCaller(), { request: { description: '' } })
    })
  })
})
