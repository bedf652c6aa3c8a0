import { ArchiveStore, EventObserver, provideValue, type RegistryEvent } from '@signed-registry/core'
import type { BegunProcedure } from '@signed-registry/core/procedures'
import { DevPhone, devAuthorities, type Subject } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { ExpireProcedures } from '#core/procedures/end-procedures.js'
import { forEachDatabase, openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { type Answer, postBytes, postJson, request } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { MemoryStore } from '../../support/memory-store.js'
import { UNTITLED } from '../../support/packages.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

const HOUR = 60 * 60_000
const ASKED = JSON.stringify({ description: 'Sign' })
const EVIDENCE = { timeStamp: true, ocsp: true }
let made = 0
const iinOf = ({ certificate }: Subject) => /IIN\d{12}/.exec(certificate.toString('latin1'))?.[0] ?? ''

forEachDatabase((open) => {
  describe('simplified signing by the phone', () => {
    let host: TestHost
    let person: Subject
    let cookie: string
    let events: RegistryEvent[]
    // Goes on: stamps of signatures are of the present, however long the tests take.
    const clock = { ahead: 0, now: () => Date.now() + clock.ahead }
    before(async () => {
      const authorities = presentAuthorities()
      const heard = { heard: (event: RegistryEvent) => void events.push(event) }
      host = await startTestHost(open, {
        authorities,
        clock,
        plugins: [
          devAuthorities({ authorities }),
          {
            name: 'memory',
            provides: [provideValue(ArchiveStore, new MemoryStore()), provideValue(EventObserver, heard)],
          },
        ],
      })
      person = authorities.person()
      cookie = await logInOverHttp(host.url, person)
    })
    after(() => host.close())
    beforeEach(() => {
      events = []
      clock.ahead = 0
    })

    const ask = <T = Record<string, never>>(method: string, path: string, body?: object): Promise<Answer<T>> =>
      request<T>(`${host.url}/api${path}`, {
        method,
        headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
    const register = async (settings: object = { tempStorageAfterRegistration: HOUR }, fields: object = {}) => {
      const original = Buffer.from(`Договор номер ${++made}\n`)
      const signature = person.signCms(original, EVIDENCE).toString('base64')
      const body = { title: 'договор.pdf', signature, settings, ...fields }
      const { documentId } = (await postJson<{ documentId: string }>(`${host.url}/api`, body)).json
      await postBytes(`${host.url}/api/${documentId}/data`, original)
      return { documentId, original }
    }
    const registerPackage = async (
      settings: object = {},
      documentsSettings: object = { tempStorageAfterRegistration: HOUR },
    ) => {
      const documents = ['a.pdf', 'b.txt'].map((title) => ({ ...UNTITLED, title }))
      const body = { ...UNTITLED, title: 'Пакет', documents, documentsSettings, settings }
      const { packageId, documentsIds } = (
        await ask<{ packageId: string; documentsIds: string[] }>('POST', '/package', body)
      ).json
      for (const id of documentsIds) {
        const headers = { cookie, 'content-type': 'application/octet-stream' }
        await request(`${host.url}/api/${id}/data`, { method: 'POST', headers, body: `Document ${++made}` })
      }
      return { packageId, documentsIds }
    }
    const begin = async (of: string, body: object = {}) => {
      const answer = await ask<BegunProcedure>('POST', `${of}/govQr`, { description: 'Подпишите', ...body })
      expect(answer.status, answer.text).to.equal(200)
      return answer.json
    }
    const record = async (of: string, { operationId }: BegunProcedure) =>
      (await ask(`GET`, `${of}/govOperation/${operationId}`)).json
    const somebody = (algorithm: 'p256' | 'rsa2048' | 'gost512' = 'p256') =>
      host.authorities.person({ algorithm, iin: `9001014${String(++made).padStart(5, '0')}` })
    const signaturesOf = async (documentId: string): Promise<unknown> =>
      (await ask<{ signaturesTotal: number }>('GET', `/${documentId}`)).json.signaturesTotal

    for (const algorithm of ['rsa2048', 'gost512'] as const) {
      it(`registers the signature of a document (${algorithm})`, async () => {
        const { documentId, original } = await register()
        const of = `/${documentId}`
        const meta = [{ name: 'Сумма', value: '100 000' }]
        const signatureEmailNotifications = { to: ['a@example.kz'] }
        const begun = await begin(of, { meta, signatureEmailNotifications, whenDone: { backUrl: 'https://a.kz/' } })
        const { operationId, expireAt } = begun
        const shown = { operationId, createdAt: expireAt - 15 * 60_000, expireAt, description: 'Подпишите', meta }
        const facts = { ...shown, userId: iinOf(person), signatureEmailNotifications }
        expect(await record(of, begun)).to.deep.equal({ ...facts, status: 'new' })

        const signer = somebody(algorithm)
        const phone = new DevPhone(signer)
        const announcement = await phone.open(begun.govMobileLaunchLink)
        expect(await record(of, begun)).to.include({ status: 'meta' })
        const given = await phone.documents(announcement)
        expect(JSON.parse(given)).to.deep.equal({
          signMethod: 'CMS_SIGN_ONLY',
          version: 1,
          documentsToSign: [
            {
              ...{ id: documentId, nameRu: 'договор.pdf', nameKz: 'договор.pdf', nameEn: 'договор.pdf', meta },
              document: { file: { mime: '@file/pdf', data: original.toString('base64') } },
            },
          ],
        })
        expect(await record(of, begun)).to.include({ status: 'data' })
        const answer = await phone.answer(announcement, given)
        expect([answer.status, JSON.parse(answer.text)]).to.deep.equal([200, { backUrl: 'https://a.kz/' }])

        const done = await record(of, begun)
        const document = (await ask<{ signatures: { userId: string; signId: number }[] }>('GET', of)).json
        const [, added] = document.signatures
        expect(done).to.deep.equal({ ...facts, status: 'done', signId: added?.signId })
        expect(added?.userId).to.equal(iinOf(signer))
        expect(document).to.have.deep.property('signatureEmailNotifications', [
          { signId: added?.signId, doNotAttachDocument: false, to: ['a@example.kz'] },
        ])
        const told = events.filter((event) => event.type === 'procedureChanged').map(({ status }) => status)
        expect(told).to.deep.equal(['meta', 'data', 'done'])
        expect(events.map(({ type }) => type)).to.include('signatureRegistered')
        // One success for one code.
        const again = await phone.answer(announcement, given)
        expect([again.status, JSON.parse(again.text).message]).to.deep.equal([409, 'Invalid QR signing state'])
        expect(await signaturesOf(documentId)).to.equal(2)
      })

      it(`registers the signatures of a package, in one (${algorithm})`, async () => {
        const { packageId, documentsIds } = await registerPackage({ signWholePackage: true })
        const of = `/package/${packageId}`
        const begun = await begin(of, { meta: [[{ name: 'a', value: 'b' }], []] })
        const signer = somebody(algorithm)
        const answer = await new DevPhone(signer).sign(begun.govBusinessLaunchLink)
        expect([answer.status, answer.text]).to.deep.equal([200, 'success'])
        const { signIds, status, meta, userId } = await record(of, begun)
        expect({ status, meta, userId }).to.deep.equal({
          status: 'done',
          meta: [[{ name: 'a', value: 'b' }], []],
          userId: undefined,
        })
        expect(signIds).to.have.length(2)
        for (const id of documentsIds) expect(await signaturesOf(id)).to.equal(1)
        expect((await ask('POST', `/${documentsIds[0]}/govQr`, { description: '' })).json.code).to.equal(
          'wholePackageRequired',
        )
      })
    }

    describe('refuses what the app returns', () => {
      type Json = Readonly<Record<string, unknown>>
      const list = (json: Json): Json[] => (Array.isArray(json.documentsToSign) ? json.documentsToSign : [])
      const withList = (change: (documents: Json[], all: Json) => unknown) => (json: Json) => ({
        ...json,
        documentsToSign: change(list(json), json),
      })
      const gov = { errors: { gov: 'eGov mobile data exchange failed', egov: 'eGov mobile data exchange failed' } }
      const service = (message: string) => ({ errors: { service: message, sigex: message } })
      const cases: readonly [string, (json: Json) => unknown, object][] = [
        ['other documents', withList((all) => all.map((one) => ({ ...one, id: 'AAAAAAAAAAAAAAAA' }))), gov],
        ['another order', withList((all) => all.toReversed()), gov],
        ['fewer documents', withList((all) => all.slice(1)), gov],
        ['more documents', withList((all) => [...all, ...all.slice(0, 1)]), gov],
        ['no list', (json) => ({ ...json, documentsToSign: undefined }), gov],
        ['no object', () => 'signed', gov],
        ['an unknown signMethod', (json) => ({ ...json, signMethod: 'RSA' }), gov],
        ['signMethod XML', (json) => ({ ...json, signMethod: 'XML' }), gov],
        [
          'MIX_SIGN with holes',
          (json) => ({
            ...json,
            signMethod: 'MIX_SIGN',
            documentsToSign: list(json).map((one, at) => (at === 0 ? { ...one, signMethod: 'CMS_SIGN_ONLY' } : one)),
          }),
          gov,
        ],
        [
          'a document without a signature',
          withList((all) => all.map((one, at) => (at === 1 ? { ...one, document: {} } : one))),
          gov,
        ],
        [
          'no CMS',
          withList((all) => all.map((one) => ({ ...one, document: { file: { mime: '', data: 'AAAA' } } }))),
          service('Failed to parse signature'),
        ],
        [
          'signatures of other data',
          withList((all) =>
            all.map((one) => {
              const data = host.authorities.person().signCms(Buffer.from('other')).toString('base64')
              return { ...one, document: { file: { mime: '', data } } }
            }),
          ),
          service('Signature does not correspond to the document'),
        ],
        [
          'one signature twice',
          withList((all) => all.map((one) => ({ ...one, document: all[0]?.document }))),
          service('Signature does not correspond to the document'),
        ],
      ]
      for (const [name, change, errors] of open === openSqlite ? cases : cases.slice(0, 2)) {
        it(name, async () => {
          const { packageId, documentsIds } = await registerPackage()
          const of = `/package/${packageId}`
          const begun = await begin(of)
          const phone = new DevPhone(somebody())
          const { status, text } = await phone.sign(begun.govMobileLaunchLink, { change })
          expect(status, text).to.equal(403)
          const failed = await record(of, begun)
          expect(failed).to.deep.include({ status: 'fail', signIds: [], ...errors })
          expect(JSON.parse(text).message).to.equal(Object.values(failed.errors ?? {})[0])
          for (const id of documentsIds) expect(await signaturesOf(id)).to.equal(0)
        })
      }

      it('a body that is no JSON, or never ends', async () => {
        const { documentId } = await register()
        const begun = await begin(`/${documentId}`, { authType: 'None' })
        const phone = new DevPhone(somebody())
        const { document } = await phone.open(begun.govMobileLaunchLink)
        await fetch(document.uri)
        const { status } = await request(document.uri, { method: 'PUT', body: '{"documentsToSign":[' })
        expect(status).to.equal(403)
        expect(await record(`/${documentId}`, begun)).to.deep.include({ status: 'fail', ...gov })
      })

      it('a signature of another person than was asked for', async () => {
        const { documentId } = await register()
        const [asked, other] = [somebody(), somebody()]
        const begun = await begin(`/${documentId}`, { userId: iinOf(asked) })
        const { status } = await new DevPhone(other).sign(begun.govMobileLaunchLink)
        expect(status).to.equal(403)
        const failed = await record(`/${documentId}`, begun)
        expect(failed).to.deep.include({ status: 'fail', userId: iinOf(asked) })
        expect(failed).to.deep.include(service('Signed by another person than asked for'))
        const again = await begin(`/${documentId}`, { userId: iinOf(asked) })
        expect((await new DevPhone(asked).sign(again.govMobileLaunchLink)).status).to.equal(200)
        expect((await ask('POST', `/${documentId}/govQr`, { description: '', userId: '12' })).status).to.equal(400)
      })

      it('a signature that it has returned before', async () => {
        const { documentId } = await register()
        const signer = new DevPhone(somebody())
        let kept: Json[] = []
        const keep = withList((all) => {
          kept = all
          return all
        })
        const first = await begin(`/${documentId}`)
        expect((await signer.sign(first.govMobileLaunchLink, { change: keep })).status).to.equal(200)
        const again = await begin(`/${documentId}`)
        const { status, text } = await signer.sign(again.govMobileLaunchLink, { change: withList(() => kept) })
        const message = 'This signature has already been submitted'
        expect([status, JSON.parse(text).message]).to.deep.equal([409, message])
        expect(await record(`/${documentId}`, again)).to.deep.include({ status: 'fail', ...service(message) })
        expect(await signaturesOf(documentId)).to.equal(2)
      })

      it('what comes with the token of another procedure', async () => {
        const { documentId } = await register()
        const [mine, other] = [await begin(`/${documentId}`), await begin(`/${documentId}`)]
        const phone = new DevPhone(somebody())
        const announcement = await phone.open(mine.govMobileLaunchLink)
        const { document } = await phone.open(other.govMobileLaunchLink)
        const given = await phone.documents(announcement)
        const foreign = { ...announcement, document: { ...announcement.document, auth_token: document.auth_token } }
        expect((await phone.answer(foreign, given)).status).to.equal(401)
        expect(await record(`/${documentId}`, mine)).to.include({ status: 'data' })
        expect(await record(`/${documentId}`, other)).to.include({ status: 'meta' })
      })

      it('a signature that the registry would refuse from anybody', async () => {
        const { documentId } = await register({ tempStorageAfterRegistration: HOUR, unique: ['iin'] })
        const revoked = somebody()
        host.authorities.revoke(revoked, clock.now() - HOUR)
        const expectFailed = async (signer: Subject, message: string) => {
          const begun = await begin(`/${documentId}`)
          const { status, text } = await new DevPhone(signer).sign(begun.govMobileLaunchLink)
          expect([status, JSON.parse(text).message]).to.deep.equal([403, message])
          expect(await record(`/${documentId}`, begun)).to.deep.include({ status: 'fail', ...service(message) })
        }
        await expectFailed(revoked, 'Invalid certificate status')
        await expectFailed(person, 'Signature does not conform to document settings requirements')
        await expectFailed(host.authorities.authenticationCertificate(somebody()), 'Bad signer certificate')
        expect(await signaturesOf(documentId)).to.equal(1)
      })

      it('what comes before the documents were taken', async () => {
        const { documentId } = await register()
        const begun = await begin(`/${documentId}`)
        const phone = new DevPhone(somebody())
        const announcement = await phone.open(begun.govMobileLaunchLink)
        const { status } = await phone.answer(announcement, '{"signMethod":"CMS_SIGN_ONLY","documentsToSign":[]}')
        expect(status).to.equal(409)
        expect(await record(`/${documentId}`, begun)).to.include({ status: 'meta' })
      })
    })

    it('is canceled by the user of the app, and by who began it', async () => {
      const { documentId } = await register()
      const of = `/${documentId}`
      const refused = await begin(of)
      expect((await new DevPhone(person).sign(refused.govMobileLaunchLink, { cancel: true })).status).to.equal(200)
      expect(await record(of, refused)).to.include({ status: 'canceled' })

      const begun = await begin(of)
      const phone = new DevPhone(somebody())
      const announcement = await phone.open(begun.govMobileLaunchLink)
      const given = await phone.documents(announcement)
      const canceled = await ask('DELETE', `${of}/govOperation/${begun.operationId}`)
      expect([canceled.status, canceled.json]).to.deep.equal([200, { operationId: begun.operationId }])
      expect((await phone.answer(announcement, given)).status).to.equal(409)
      expect(await record(of, begun)).to.include({ status: 'canceled' })
      expect((await ask('DELETE', `${of}/govOperation/${begun.operationId}`)).json.message).to.equal(
        'Invalid QR signing state',
      )
      expect(await signaturesOf(documentId)).to.equal(1)
    })

    it('fails when its time is over', async () => {
      const { documentId } = await register()
      const begun = await begin(`/${documentId}`)
      const late = await begin(`/${documentId}`)
      const phone = new DevPhone(somebody())
      const announcement = await phone.open(begun.govMobileLaunchLink)
      const given = await phone.documents(announcement)
      clock.ahead = late.expireAt + 1 - Date.now()
      const message = 'eGov signing operation expired'
      expect(await record(`/${documentId}`, begun)).to.deep.include({
        status: 'fail',
        errors: { service: message, sigex: message },
      })
      expect((await phone.answer(announcement, given)).status).to.equal(404)
      await host.registry.get(ExpireProcedures).run()
      expect(await record(`/${documentId}`, late)).to.include({ status: 'fail' })
    })

    it('knows the user of the app by a signed login, for entry Eds', async () => {
      const { documentId } = await register()
      const signer = somebody()
      const begun = await begin(`/${documentId}`, { authType: 'Eds', userId: iinOf(signer) })
      const login = (of: Subject) => host.authorities.authenticationCertificate(of)
      const phone = new DevPhone(signer, login(signer))
      const announcement = await phone.open(begun.govMobileLaunchLink)
      const { uri } = announcement.document
      expect(announcement.document).to.include({ auth_type: 'Eds', auth_token: '' })
      const refusalOf = async (xml: unknown) => {
        const { status, json } = await postJson<{ details: { reason: string } }>(uri, { xml })
        return `${status} ${json.details?.reason}`
      }
      const signed = (by: Subject, url: string, at: number) =>
        by.signXml(`<login><url>${url}</url><timeStamp>${new Date(at).toISOString()}</timeStamp></login>`).document
      const auth = login(signer)
      expect((await request(uri)).status).to.equal(401)
      expect(await refusalOf(undefined)).to.equal('401 malformed')
      expect(await refusalOf('<login/>')).to.equal('401 signature')
      expect(await refusalOf(signed(auth, `${uri}x`, clock.now()))).to.equal('401 otherAddress')
      expect(await refusalOf(signed(auth, uri, clock.now() - 6 * 60_000))).to.equal('401 tooOld')
      expect(await refusalOf(signed(auth, uri, clock.now()).replace('</url>', ' </url>'))).to.equal('401 signature')
      expect(await refusalOf(signed(login(somebody()), uri, clock.now()))).to.equal('401 otherSigner')
      const revoked = login(signer)
      host.authorities.revoke(revoked, clock.now() - HOUR)
      expect(await refusalOf(signed(revoked, uri, clock.now()))).to.equal('401 signature')
      expect((await phone.answer(announcement, '{}')).status).to.equal(401)
      expect((await phone.answer(announcement, await phone.documents(announcement))).status).to.equal(200)
      expect(await record(`/${documentId}`, begun)).to.include({ status: 'done' })
    })

    it('asks for the original where none is stored, and keeps it for the procedure alone', async () => {
      const { documentId, original } = await register({})
      const of = `/${documentId}`
      const start = (body: object) => ask('POST', `${of}/govQr`, { description: '', ...body })
      expect((await start({})).json.message).to.equal('Signed data is not stored')
      expect((await start({ document: original.toString('base64') })).status).to.equal(409)
      const other = await start({ tempStorage: true, document: Buffer.from('other').toString('base64') })
      expect(other.json.message).to.equal('Signature does not correspond to the document')
      const begun = await begin(of, { tempStorage: true, document: original.toString('base64') })
      expect((await new DevPhone(somebody('gost512')).sign(begun.govMobileLaunchLink)).status).to.equal(200)
      expect(await signaturesOf(documentId)).to.equal(2)
      expect((await ask('GET', `${of}/data`)).status).to.equal(404)
    })

    it('asks for the originals of a package where none are stored, and compares what is given with them', async () => {
      const { packageId } = await registerPackage({}, {})
      const start = (body: object) => ask('POST', `/package/${packageId}/govQr`, { description: '', ...body })
      expect((await start({})).json.code).to.equal('dataNotStored')
      const other = Buffer.from('other').toString('base64')
      const given = await start({ tempStorage: true, documents: [other, other] })
      expect(given.json.code).to.equal('signatureDoesNotCorrespond')
    })

    it('refuses notifications that could not be sent', async () => {
      const to = Array.from({ length: 100 }, (_, at) => `a${at}@example.kz`)
      for (const of of [`/${(await register()).documentId}`, `/package/${(await registerPackage()).packageId}`]) {
        for (const [signatureEmailNotifications, code] of [
          [{ to: ['nowhere'] }, 'invalidNotificationEmail'],
          [{ to: to.slice(0, 1), language: 'xx' }, 'invalidNotificationLanguage'],
          [{ to }, 'tooManyNotificationEmails'],
        ] as const) {
          const { json } = await ask('POST', `${of}/govQr`, { description: '', signatureEmailNotifications })
          expect(json.code, of).to.equal(code)
        }
      }
    })

    it('lets nobody begin, see or cancel who may not read the documents', async () => {
      const { documentId } = await register({ private: true, tempStorageAfterRegistration: HOUR })
      const { packageId } = await registerPackage({ private: true })
      const begun = [await begin(`/${documentId}`), await begin(`/package/${packageId}`)]
      const stranger = await logInOverHttp(host.url, somebody())
      for (const [at, of] of [`/${documentId}`, `/package/${packageId}`].entries()) {
        const operation = `${of}/govOperation/${begun[at]?.operationId}`
        for (const [who, status] of [
          ['', 401],
          [stranger, 403],
        ] as const) {
          const headers = { cookie: who, 'content-type': 'application/json' }
          const url = `${host.url}/api`
          expect((await request(`${url}${of}/govQr`, { method: 'POST', headers, body: ASKED })).status).to.equal(status)
          expect((await request(`${url}${operation}`, { headers: { cookie: who } })).status).to.equal(status)
          expect((await request(`${url}${operation}`, { method: 'DELETE', headers: { cookie: who } })).status).to.equal(
            status,
          )
        }
      }
      const other = await register()
      const foreign = await ask('GET', `/${other.documentId}/govOperation/${begun[0]?.operationId}`)
      expect([foreign.status, foreign.json.message]).to.deep.equal([404, 'Signing operation not found'])
    })

    it('refuses what the app could not show', async () => {
      const { packageId } = await registerPackage()
      const start = async (body: object) =>
        (await ask('POST', `/package/${packageId}/govQr`, { description: 'Sign', ...body })).status
      expect(await start({ meta: [[]] })).to.equal(400)
      expect(await start({ description: 'x'.repeat(2001) })).to.equal(400)
      expect(await start({ signatureEmailNotifications: { to: ['no address'] } })).to.equal(400)
    })

    it('names the limits of meta, and what is beyond them', async () => {
      const { packageId } = await registerPackage()
      const { documentId } = await register()
      const line = { name: 'x'.repeat(100), value: 'x'.repeat(500) }
      const most = Array<typeof line>(20).fill(line)
      const [longName, longValue] = [
        { ...line, name: 'x'.repeat(101) },
        { ...line, value: 'x'.repeat(501) },
      ]
      const refused = [
        [`/${documentId}`, [...most, line], 'meta', 20],
        [`/${documentId}`, [line, longName], 'meta[1].name', 100],
        [`/${documentId}`, [longValue], 'meta[0].value', 500],
        [`/package/${packageId}`, [[], [...most, line]], 'meta[1]', 20],
        [`/package/${packageId}`, [[], [line, longName]], 'meta[1][1].name', 100],
        [`/package/${packageId}`, [[longValue], []], 'meta[0][0].value', 500],
      ] as const
      for (const [of, meta, field, limit] of refused) {
        const { status, json } = await ask<{ details: object }>('POST', `${of}/govQr`, { description: 'Sign', meta })
        expect([status, json.details], field).to.deep.equal([400, { field, limit }])
      }
      await begin(`/${documentId}`, { meta: most })
      await begin(`/package/${packageId}`, { meta: [most, most] })
    })

    it('refuses to begin without a description', async () => {
      const { packageId } = await registerPackage()
      const { documentId } = await register()
      for (const of of [`/${documentId}`, `/package/${packageId}`, '']) {
        for (const body of [{}, { description: 5 }, { description: null }]) {
          const { status, json } = await ask<{ code: string }>('POST', `${of}/govQr`, body)
          expect([status, json.code], of).to.deep.equal([400, 'invalidJsonStructure'])
        }
        expect((await ask('POST', `${of}/govQr`, { description: '' })).status).to.equal(200)
        // Clients of the production service may leave it out at its addresses.
        expect((await ask('POST', `${of}/egovQr`, { language: 'kk' })).status).to.equal(200)
      }
    })
  })
})
