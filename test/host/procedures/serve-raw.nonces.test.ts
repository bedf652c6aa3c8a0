import { Database } from '@signed-registry/core'
import type { BegunRawProcedure } from '@signed-registry/core/procedures'

import { DevPhone } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postJson } from '../../support/http.js'

/** Of a clock that stands still: the app looks at it as often in real time. */
const APP_WAIT = 50

const file = (data: string) => ({ documentsToSign: [{ id: 1, document: { file: { mime: '', data } } }] })

/** What a stranger may send so that the app signs a nonce. */
const forms: Record<string, (nonce: string) => string | Buffer | object> = {
  bytes: (nonce) => Buffer.from(nonce, 'base64'),
  base64: (nonce) => nonce,
  hexadecimal: (nonce) => Buffer.from(nonce, 'base64').toString('hex'),
  'a file': (nonce) => file(nonce),
  'text of XML': (nonce) => ({ documentsToSign: [{ id: 1, documentXml: `<login>${nonce}</login>` }] }),
  'a file with XML': (nonce) => file(Buffer.from(`<login>${nonce}</login>`).toString('base64')),
}

forEachDatabase((open) => {
  describe('raw QR signing by anonymous callers', () => {
    let host: TestHost
    let clock: { time: number; now(): number }
    before(async () => {
      clock = { time: Date.now(), now: () => clock.time }
      host = await startTestHost(open, { clock, registry: { limits: { appWaitMs: APP_WAIT } } })
    })
    after(() => host.close())
    /** Ends the wait of the app for what it was not given. */
    const endsTheWait = () => {
      clock.time += APP_WAIT
    }

    const begin = async () =>
      (await postJson<BegunRawProcedure>(`${host.url}/api/govQr`, { description: 'Contract No 17' })).json

    for (const [form, hide] of Object.entries(forms)) {
      it(`brings no nonce to the app as ${form}`, async () => {
        const { nonce } = (await postJson<{ nonce: string }>(`${host.url}/api/auth`, {})).json
        const begun = await begin()
        const app = new DevPhone(host.authorities.person({}))
        const announcement = await app.open(begun.govMobileLaunchLink)
        const given = app.documents(announcement).catch((error: unknown) => String(error))
        const data = hide(nonce)
        const body = typeof data === 'string' || Buffer.isBuffer(data) ? data : JSON.stringify(data)
        const answer = await fetch(begun.dataURL, { method: 'POST', body })
        expect(answer.status).to.equal(422)
        expect(await answer.json()).to.include({ message: 'Data to be signed would log in' })
        endsTheWait()
        expect(await given).to.include('not active')
        expect(await host.registry.get(Database).query('registry_procedure_bodies')).to.have.length(0)
      })
    }

    const refused = {
      externalDtd: '<!DOCTYPE a SYSTEM "http://a.example/a.dtd"><login>&nonce;</login>',
      encoding: '<?xml version="1.0" encoding="UTF-7"?><login/>',
    }
    for (const [reason, documentXml] of Object.entries(refused)) {
      it(`brings the app no XML that a parser may read otherwise (${reason})`, async () => {
        const begun = await begin()
        const app = new DevPhone(host.authorities.person({}))
        const given = app.documents(await app.open(begun.govMobileLaunchLink)).catch((error: unknown) => String(error))
        const body = JSON.stringify({ documentsToSign: [{ id: 1, documentXml }] })
        const answer = await fetch(begun.dataURL, { method: 'POST', body })
        expect(answer.status).to.equal(422)
        expect(await answer.json()).to.deep.include({ code: 'nonceToSign', details: { reason } })
        endsTheWait()
        expect(await given).to.include('not active')
      })
    }

    it('is shown as that of strangers, and brings other data', async () => {
      const begun = await begin()
      const app = new DevPhone(host.authorities.person({}))
      const announcement = await app.open(begun.govMobileLaunchLink)
      expect(announcement.organisation).to.deep.equal({
        nameRu: 'Непроверенный отправитель',
        nameKz: 'Тексерілмеген жіберуші',
        nameEn: 'Unverified sender',
        bin: '',
      })
      expect(announcement.description).to.match(/^Непроверенный отправитель .*Unverified sender: Contract No 17$/)
      const data = JSON.stringify(file(Buffer.from('contract').toString('base64')))
      const [given, answer] = await Promise.all([
        app.documents(announcement),
        fetch(begun.dataURL, { method: 'POST', body: data }),
      ])
      expect([given, answer.status]).to.deep.equal([data, 200])
    })

    it('logs in nobody who is shown words that say so', async () => {
      const { nonce } = (await postJson<{ nonce: string }>(`${host.url}/api/auth`, {})).json
      expect(Buffer.from(nonce, 'base64').toString()).to.match(
        new RegExp(`^Вход / Кіру / Log in: ${new URL(host.url).host}\n`),
      )
    })
  })
})
