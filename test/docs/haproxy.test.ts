import { once } from 'node:events'
import http2 from 'node:http2'
import https from 'node:https'
import { Ledger } from '@signed-registry/core'
import { expect } from 'chai'
import { type BehindHaproxy, startBehindHaproxy, suiteOfHaproxy } from '../support/behind-haproxy.js'
import { forServer } from '../support/databases.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { addressTaken, firstEvent, statusAt } from '../support/proxy.js'
import { until } from '../support/until.js'

/** What each host allows an information system in a minute. */
const CALLS = 20

suiteOfHaproxy('deploy/haproxy.cfg', () => {
  forServer((open) => {
    const authorities = presentAuthorities()
    let behind: BehindHaproxy
    before(async () => {
      behind = await startBehindHaproxy(await open(), authorities, {
        rates: { anonymous: 0, caller: CALLS, holdMs: 0 },
      })
    })
    after(() => behind.close())

    it('serves people, whose address is theirs and not the one that they claim', async () => {
      const { people } = behind
      const person = authorities.person()
      const original = Buffer.from('Behind HAProxy.\n')
      const signature = person.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
      const registered = await people.ask('POST', '', { title: 'a', signature })
      expect(registered.status).to.equal(200)
      const fixed = await people.ask('POST', `/${registered.json.documentId}/data`, Buffer.alloc(20e6, 'x'))
      // The answer is the host's: it has read twenty megabytes of something that was not signed.
      expect(fixed.json).to.include({ code: 'signatureDoesNotCorrespond' })
      const sign = (nonce: Buffer) => person.signCms(nonce, { timeStamp: false })
      expect(await addressTaken(people, sign, '10.9.9.9')).to.equal('127.0.0.1')
    })

    it('has browsers come by TLS from then on, whatever they claim to have come by', async () => {
      for (const client of [behind.people, behind.system]) {
        const { headers } = await client.ask('GET', '/version', undefined, { 'x-forwarded-proto': 'http' })
        expect(headers['strict-transport-security']).to.equal('max-age=31536000')
      }
    })

    it('speaks HTTP/2 with browsers', async () => {
      const session = http2.connect(`https://127.0.0.1:${behind.peoplePort}`, { rejectUnauthorized: false })
      const [headers] = await once(session.request({ ':path': '/api/version' }), 'response')
      expect([session.alpnProtocol, headers[':status']]).to.deep.equal(['h2', 200])
      session.close()
    })

    it('serves information systems by their certificates, and nobody without one', async () => {
      expect((await behind.system.ask('POST', '', { title: 'a' })).status).to.equal(200)
      expect(await statusAt(behind.systemsPort, '/api', { method: 'POST' })).to.equal(403)
    })

    it('drops a certificate that a client sends as a header', async () => {
      const headers = { 'client-cert': `:${behind.listed.der.toString('base64')}:` }
      const { json } = await behind.people.ask('POST', '', { title: 'a' }, headers)
      expect(json).to.include({ code: 'signatureMissing' })
      expect(await statusAt(behind.systemsPort, '/api', { method: 'POST', headers })).to.equal(403)
    })

    it('hides the metrics, however their address is written', async () => {
      for (const path of ['/metrics', '/%6Detrics', '//metrics/'])
        expect(await statusAt(behind.peoplePort, path), path).to.equal(403)
    })

    it('passes events on when they happen', async () => {
      const { json } = await behind.people.ask<{ stateURL: string }>('POST', '/govQr', { description: '' })
      expect(await firstEvent(behind.peoplePort, new URL(json.stateURL).pathname)).to.include('"status":"new"')
    })

    it('lets hosts know when somebody who waits for a phone, or for events, has gone', async () => {
      const { people, peoplePort: port, hosts } = behind
      const held = () => hosts.hosts.reduce((sum, { registry }) => sum + registry.get(Ledger).state().heldCalls.all, 0)
      const { json } = await people.ask<{ signURL: string; stateURL: string }>('POST', '/govQr', { description: '' })
      for (const [address, accept] of [
        [json.signURL, 'application/json'],
        [json.stateURL, 'text/event-stream'],
      ] as const) {
        const { pathname: path } = new URL(address)
        const waiting = https.get({ host: '127.0.0.1', port, path, headers: { accept }, rejectUnauthorized: false })
        waiting.on('error', () => undefined)
        await until(async () => held() > 0)
        waiting.destroy()
        // Otherwise it would take tens of seconds, in which thousands are answered.
        for (let asked = 0; held() > 0 && asked < 500; asked += 1) await people.ask('GET', '/version')
        expect(held(), path).to.equal(0)
      }
    })

    it('passes on that a host refuses for a while, and for how long', async () => {
      const ask = () => behind.system.ask('GET', '/version')
      let answer = await ask()
      for (let asked = 0; answer.status === 200 && asked < 3 * CALLS; asked += 1) answer = await ask()
      expect([answer.status, answer.json.code]).to.deep.equal([429, 'rateLimitReached'])
      expect(answer.headers['retry-after']).to.match(/^\d+$/)
    })
  })
})
