import { Database, type Registry } from '@signed-registry/core'
import { expect } from 'chai'
import { Relays } from '#core/procedures/relays.js'
import { forEachDatabase, openSqlite } from '../../support/databases.js'
import { postJson, request } from '../../support/http.js'
import { MemoryStore } from '../../support/memory-store.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { RelayedHost, startTrustedService, type TrustedService } from '../../support/relayed-hosts.js'
import { until } from '../../support/until.js'

const DATA = Buffer.from(` {"signMethod":"CMS_SIGN_ONLY","version":1,"documentsToSign":[
  {"id":1,"nameRu":"а","meta":[],"document":{"file":{"mime":"","data":"YQ=="}}}]}\r\n`)
const hasEnded = ({ status }: Record<string, unknown>) =>
  status === 'done' || status === 'fail' || status === 'canceled'

/** Calls that a host holds for callers who have brought data. */
const heldData = (registry: Registry): Promise<string[]> =>
  registry.get(Database).query('registry_held_calls').where({ side: 'data' }).pluck('id')

forEachDatabase((open) => {
  describe('signing by the phone through another service', () => {
    const authorities = presentAuthorities()
    let database: ReturnType<typeof open>
    const store = new MemoryStore()
    let service: TrustedService
    let ours: RelayedHost
    const start = () => RelayedHost.start(() => database, service.relay, { authorities, store })
    const phone = (algorithm: 'p256' | 'rsa2048' | 'gost512' = 'p256') =>
      service.phone(authorities.person({ algorithm }))
    before(async () => {
      service = await startTrustedService()
      database = open()
      ours = await start()
    })
    after(async () => {
      await ours.close()
      await service.close()
    })

    /** Signs by the phone, and answers the record when the procedure has ended. */
    const signed = async (of: string, begun: Awaited<ReturnType<RelayedHost['begin']>>, app = phone(), how = {}) => {
      expect((await app.sign(begun.govMobileLaunchLink, how)).status).to.equal(200)
      await until(async () => hasEnded(await ours.record(of, begun)))
      return ours.record(of, begun)
    }

    const algorithms = ['gost512', 'rsa2048'] as const
    for (const algorithm of open === openSqlite ? algorithms : algorithms.slice(0, 1)) {
      it(`registers the signature of a document (${algorithm})`, async () => {
        const of = await ours.register()
        const begun = await ours.begin(of, { whenDone: { backUrl: 'https://a.kz/' } })
        for (const link of [begun.govMobileLaunchLink, begun.govBusinessLaunchLink])
          expect(new URL(link).searchParams.get('link')).to.contain(`${service.host.url}/api/govQr/app/`)
        // The sooner of both ends.
        expect(begun.expireAt).to.be.below(Date.now() + 5 * 60_000 + 1)
        const app = phone(algorithm)
        const announcement = await app.open(begun.govMobileLaunchLink)
        // The other service knows neither who asks nor for whom.
        expect(announcement.description).to.match(/Unverified sender: Подпишите$/)
        await until(async () => (await heldData(service.host.registry)).length > 0)
        expect(await ours.record(of, begun)).to.include({ status: 'new' })
        const given = await app.documents(announcement)
        await until(async () => (await ours.record(of, begun)).status === 'data')
        const answer = await app.answer(announcement, given)
        expect([answer.status, JSON.parse(answer.text)]).to.deep.equal([200, { backUrl: 'https://a.kz/' }])
        await until(async () => hasEnded(await ours.record(of, begun)))
        expect(await ours.record(of, begun)).to.include({ status: 'done' })
        expect(await ours.signaturesOf(of)).to.equal(2)
      })

      it(`passes raw bytes on as they are (${algorithm})`, async () => {
        const begun = await ours.beginRaw({ description: 'Raw' })
        let isAnswered = false
        const sending = fetch(begun.dataURL, { method: 'POST', body: DATA }).finally(() => {
          isAnswered = true
        })
        const waiting = request(begun.signURL)
        await until(async () => (await heldData(service.host.registry)).length > 0)
        expect(isAnswered).to.equal(false)
        const app = phone(algorithm)
        const announcement = await app.open(begun.govMobileLaunchLink)
        const given = await app.documents(announcement)
        expect(given).to.equal(DATA.toString())
        const sent = await sending
        expect([sent.status, Object(await sent.json()).signURL]).to.deep.equal([200, begun.signURL])
        let returned = ''
        const change = (json: object) => {
          returned = JSON.stringify(json)
          return json
        }
        expect((await app.answer(announcement, given, { change })).status).to.equal(200)
        expect((await waiting).text).to.equal(returned)
        expect((await request(begun.signURL)).text).to.equal(returned)
        expect((await request(begun.stateURL)).json.status).to.equal('done')
      })
    }

    it('brings the last of several data that were sent before the app came', async () => {
      const begun = await ours.beginRaw()
      const post = (text: string) => postJson(begun.dataURL, { documentsToSign: [], text })
      const first = post('first')
      await until(async () => (await heldData(service.host.registry)).length === 1)
      const [before] = await heldData(service.host.registry)
      const second = post('second')
      expect((await first).json.message).to.equal('Other endpoint connected')
      await until(async () => !(await heldData(service.host.registry)).includes(before ?? ''))
      const app = phone()
      const given = await app.documents(await app.open(begun.govMobileLaunchLink))
      expect(JSON.parse(given).text).to.equal('second')
      expect((await second).status).to.equal(200)
    })

    it('ends as its user refuses, and as what comes back will not do', async () => {
      const of = await ours.register()
      expect(await signed(of, await ours.begin(of), phone(), { cancel: true })).to.include({ status: 'canceled' })
      const other = { change: (json: object) => ({ ...json, signMethod: 'XML' }) }
      expect(await signed(of, await ours.begin(of), phone(), other)).to.deep.include({
        status: 'fail',
        errors: { gov: 'eGov mobile data exchange failed', egov: 'eGov mobile data exchange failed' },
      })
      const asked = await ours.begin(of, { userId: 'IIN990101400001' })
      const message = 'Signed by another person than asked for'
      expect(await signed(of, asked)).to.deep.include({ status: 'fail', errors: { service: message, sigex: message } })
      expect(await ours.signaturesOf(of)).to.equal(1)
    })

    it('cancels the procedure at the other service', async () => {
      const of = await ours.register()
      const begun = await ours.begin(of)
      const app = phone()
      const announcement = await app.open(begun.govMobileLaunchLink)
      expect((await ours.ask('DELETE', `${of}/govOperation/${begun.operationId}`)).status).to.equal(200)
      await until(async () => (await app.answer(announcement, '{"documentsToSign":[]}')).text.includes('"canceled"'))
    })

    it('goes on at another host when one stops, and when one dies', async () => {
      const of = await ours.register()
      const stopped = await ours.begin(of)
      await until(async () => (await heldData(service.host.registry)).length > 0)
      await ours.host.registry.stop()
      const dead = await ours.begin(of)
      const { query } = ours.host.registry.get(Database)
      const rows = () => query('registry_procedures')
      // As a host leaves it that died: claimed until a moment that has come.
      await rows().where({ id: dead.operationId }).update({ claimed_until: Date.now() })
      const later = await ours.begin(of)
      await rows()
        .where({ id: later.operationId })
        .update({ claimed_until: Date.now() + 3_600_000 })
      const other = await start()
      try {
        expect(await signed(of, stopped)).to.include({ status: 'done' })
        expect(await signed(of, dead)).to.include({ status: 'done' })
        // Another host works for that one.
        await other.host.registry.get(Relays).look()
        expect(await heldData(service.host.registry)).to.deep.equal([])
        await rows().where({ id: later.operationId }).update({ claimed_until: 1 })
        await other.host.registry.get(Relays).look()
        expect(await signed(of, later)).to.include({ status: 'done' })
      } finally {
        await other.close()
        ours.host.registry.start()
      }
    })

    it('refuses a procedure with a signed login, which it cannot ask for', async () => {
      const of = await ours.register()
      const { status, json } = await ours.ask('POST', `${of}/govQr`, { description: '', authType: 'Eds' })
      expect([status, json.code]).to.deep.equal([400, 'relayWithoutLogin'])
    })
  })
})
