import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ledger } from '@signed-registry/core'
import { localCertificate } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { clientCertificate } from '../support/client-certificate.js'
import { forServer } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { onPath } from '../support/programs.js'
import { addressTaken, deployed, endProxy, firstEvent, startProxy, statusAt } from '../support/proxy.js'
import { listCertificates, SystemClient } from '../support/systems.js'
import { startTwoHosts, type TwoHosts } from '../support/two-hosts.js'
import { until } from '../support/until.js'

const haproxy = onPath('haproxy')
const suite = haproxy !== undefined || process.env.REQUIRE_HAPROXY === '1' ? describe : describe.skip

suite('deploy/haproxy.cfg', () => {
  forServer((open) => {
    const authorities = presentAuthorities()
    const listed = clientCertificate()
    let folder: string
    let both: TwoHosts
    let proxy: ChildProcess
    let peoplePort: number
    let systemsPort: number
    let people: SystemClient
    let system: SystemClient

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'registry-haproxy-'))
      const proxies = { trusted: ['127.0.0.1'], certificateHeader: 'client-cert' }
      both = await startTwoHosts(await open(), authorities, { proxies })
      await listCertificates(both.first.registry, [listed])
      const { cert, key } = localCertificate(folder)
      writeFileSync(join(folder, 'site.pem'), `${cert}\n${key}`)
      // Any authority: the registry takes what organizations list.
      writeFileSync(join(folder, 'any-ca.pem'), cert)
      ;[peoplePort, systemsPort] = [await freePort(), await freePort()]
      const here = deployed('haproxy.cfg', [
        // Two descriptors for each, which not every machine allows.
        ['maxconn 10000', 'maxconn 1000'],
        ['/usr/local/etc/haproxy/tls', folder],
        ['bind :8443', `bind 127.0.0.1:${peoplePort}`],
        ['bind :9443', `bind 127.0.0.1:${systemsPort}`],
        ['registry-1:8080', new URL(both.first.url).host],
        ['registry-2:8080', new URL(both.second.url).host],
        ['registry-3:8080', `127.0.0.1:${await freePort()}`],
      ])
      const file = join(folder, 'haproxy.cfg')
      writeFileSync(file, `${here}\n`)
      people = new SystemClient(peoplePort)
      system = new SystemClient(systemsPort, listed)
      both.site.baseUrl = `https://127.0.0.1:${peoplePort}`
      // The proxy's first question decides whether a host may be asked.
      for (const { registry, url } of both.hosts) {
        registry.start()
        await until(async () => (await fetch(`${url}/readyz`)).ok)
      }
      proxy = await startProxy(haproxy ?? 'haproxy', ['-db', '-q', '-f', file], people)
    })
    after(async () => {
      for (const client of [people, system]) client.close()
      await endProxy(proxy)
      await both.close()
      rmSync(folder, { recursive: true, force: true })
    })

    it('serves people, whose address is theirs and not the one that they claim', async () => {
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

    it('serves information systems by their certificates, and nobody without one', async () => {
      expect((await system.ask('POST', '', { title: 'a' })).status).to.equal(200)
      expect(await statusAt(systemsPort, '/api', { method: 'POST' })).to.equal(403)
    })

    it('drops a certificate that a client sends as a header', async () => {
      const headers = { 'client-cert': `:${listed.der.toString('base64')}:` }
      const { json } = await people.ask('POST', '', { title: 'a' }, headers)
      expect(json).to.include({ code: 'signatureMissing' })
      expect(await statusAt(systemsPort, '/api', { method: 'POST', headers })).to.equal(403)
    })

    it('hides the metrics, however their address is written', async () => {
      for (const path of ['/metrics', '/%6Detrics', '//metrics/'])
        expect(await statusAt(peoplePort, path), path).to.equal(403)
    })

    /** The hosts that hold a call. */
    const holding = () => both.hosts.filter(({ registry }) => registry.get(Ledger).state().heldCalls.all > 0)

    it('holds calls of phones at the other host, and goes on with it, where one has ended', async () => {
      const { json } = await people.ask<{ signURL: string }>('POST', '/govQr', { description: '' })
      const { pathname: path } = new URL(json.signURL)
      const held = https.get({ host: '127.0.0.1', port: peoplePort, path, rejectUnauthorized: false })
      const answer = once(held, 'response').then(([{ statusCode }]) => statusCode)
      await until(async () => holding().length > 0)
      const [ending] = holding()
      await ending?.app.close()
      const heldAgain = until(async () => holding().some((host) => host !== ending)).then(() => 'held')
      expect(await Promise.race([answer, heldAgain])).to.equal('held')
      answer.catch(() => undefined)
      held.destroy()
      for (let asked = 0; asked < 20; asked += 1)
        expect((await people.ask('GET', '/version')).status, `question ${asked}`).to.equal(200)
    })

    it('passes events on when they happen', async () => {
      const { json } = await people.ask<{ stateURL: string }>('POST', '/govQr', { description: '' })
      expect(await firstEvent(peoplePort, new URL(json.stateURL).pathname)).to.include('"status":"new"')
    })
  })
})
