import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ledger } from '@signed-registry/core'
import { localCertificate } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { clientCertificate } from '../support/client-certificate.js'
import { forServer } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { onPath } from '../support/programs.js'
import { listCertificates, SystemClient } from '../support/systems.js'
import { until } from '../support/until.js'

const haproxy = onPath('haproxy')
const suite = haproxy !== undefined || process.env.REQUIRE_HAPROXY === '1' ? describe : describe.skip

suite('deploy/haproxy.cfg', () => {
  forServer((open) => {
    const listed = clientCertificate()
    /** Its authority is unknown to everybody: the registry takes what organizations list. */
    const any = clientCertificate()
    let folder: string
    let hosts: TestHost[]
    let proxy: ChildProcess
    let ended: Promise<unknown>
    let peoplePort: number
    let people: SystemClient
    let system: SystemClient
    let stranger: SystemClient

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'registry-haproxy-'))
      const database = await open()
      const proxies = { trusted: ['127.0.0.1'], certificateHeader: 'client-cert' }
      const first = await startTestHost(async () => database, { proxies })
      const second = await startTestHost(async () => database, { proxies, authorities: first.authorities })
      hosts = [first, second]
      // Hosts that do no work are not ready.
      for (const { registry } of hosts) registry.start()
      await listCertificates(first.registry, [listed])
      const { cert, key } = localCertificate(folder)
      writeFileSync(join(folder, 'site.pem'), `${cert}\n${key}`)
      writeFileSync(join(folder, 'any-ca.pem'), any.pem)
      const ports = [await freePort(), await freePort(), await freePort()] as const
      const documented = readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8')
      const here = [
        // Two descriptors for each, which not every machine allows.
        ['maxconn 10000', 'maxconn 1000'],
        ['/usr/local/etc/haproxy/tls', folder],
        ['bind :8443', `bind 127.0.0.1:${ports[0]}`],
        ['bind :9443', `bind 127.0.0.1:${ports[1]}`],
        ['registry-1:8080', new URL(first.url).host],
        ['registry-2:8080', new URL(second.url).host],
        ['registry-3:8080', `127.0.0.1:${ports[2]}`],
      ].reduce((config, [from = '', to = '']) => {
        expect(config).to.include(from)
        return config.replaceAll(from, to)
      }, documented)
      const file = join(folder, 'haproxy.cfg')
      writeFileSync(file, `${here}\n`)
      proxy = spawn(haproxy ?? 'haproxy', ['-db', '-q', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
      ended = once(proxy, 'exit')
      peoplePort = ports[0]
      people = new SystemClient(peoplePort)
      system = new SystemClient(ports[1], listed)
      stranger = new SystemClient(ports[1])
      await until(() =>
        people.ask('GET', '/version').then(
          ({ status }) => status === 200,
          () => false,
        ),
      )
    })
    after(async () => {
      for (const client of [people, system, stranger]) client.close()
      proxy.kill('SIGTERM')
      await ended
      for (const host of hosts) await host.close()
      rmSync(folder, { recursive: true, force: true })
    })

    /** A host that holds a call. */
    const holder = () => hosts.find(({ registry }) => registry.get(Ledger).state().heldCalls.all > 0)

    it('serves people, whose address is theirs and not the one that they claim', async () => {
      const [host] = hosts
      const person = host?.authorities.person()
      const original = Buffer.from('Behind HAProxy.\n')
      const signature = person?.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
      const registered = await people.ask('POST', '', { title: 'a', signature })
      expect(registered.status).to.equal(200)
      const fixed = await people.ask('POST', `/${registered.json.documentId}/data`, Buffer.alloc(20e6, 'x'))
      // The answer is the host's: it has read twenty megabytes of something that was not signed.
      expect(fixed.json).to.include({ code: 'signatureDoesNotCorrespond' })
      const { json } = await people.ask('POST', '/auth', {}, { 'x-forwarded-for': '10.9.9.9' })
      const nonce = person?.signCms(Buffer.from(String(json.nonce), 'base64'), { timeStamp: false }).toString('base64')
      const login = { nonce: json.nonce, signature: nonce }
      const done = await people.ask('POST', '/auth', login, { 'x-forwarded-for': '10.9.9.9' })
      const [cookie = ''] = String(done.headers['set-cookie']).split(';')
      const log = await people.ask<{ events: { ip: string }[] }>('GET', '/authLog', undefined, { cookie })
      expect(log.json.events[0]?.ip).to.equal('127.0.0.1')
    })

    it('serves information systems by their certificates, and nobody without one', async () => {
      expect((await system.ask('POST', '', { title: 'a' })).status).to.equal(200)
      expect(await statusOf(stranger, 'POST', '')).to.equal(403)
    })

    it('drops a certificate that a client sends as a header', async () => {
      const header = { 'client-cert': `:${Buffer.from(derOf(listed.pem)).toString('base64')}:` }
      expect((await people.ask('POST', '', { title: 'a' }, header)).json).to.include({ code: 'signatureMissing' })
      expect(await statusOf(stranger, 'POST', '', header)).to.equal(403)
    })

    it('hides the metrics, however their address is written', async () => {
      for (const path of ['/metrics', '/%6Detrics', '//metrics/']) {
        const options = { host: '127.0.0.1', port: peoplePort, path, rejectUnauthorized: false }
        const [answer] = await once(https.get(options), 'response')
        answer.resume()
        expect(answer.statusCode, path).to.equal(403)
      }
    })

    it('passes events on when they happen', async () => {
      const begun = await people.ask<{ stateURL: string }>('POST', '/govQr', { description: '' })
      const { pathname } = new URL(begun.json.stateURL)
      const headers = { accept: 'text/event-stream' }
      const options = { host: '127.0.0.1', port: peoplePort, path: pathname, headers, rejectUnauthorized: false }
      const request = https.get(options)
      const [answer] = await once(request, 'response')
      const [first] = await once(answer, 'data')
      expect(String(first)).to.include('"status":"new"')
      request.destroy()
      await until(async () => holder() === undefined)
    })

    it('holds calls of phones at the other host, and goes on with it, where one has ended', async () => {
      const { json } = await people.ask<{ signURL: string }>('POST', '/govQr', { description: '' })
      const { pathname: path } = new URL(json.signURL)
      const held = https.get({ host: '127.0.0.1', port: peoplePort, path, rejectUnauthorized: false })
      const answer = once(held, 'response').then(([{ statusCode }]) => statusCode)
      await until(async () => holder() !== undefined)
      const ending = holder()
      hosts = hosts.filter((host) => host !== ending)
      await ending?.close()
      expect(await Promise.race([answer, until(async () => holder() !== undefined).then(() => 'held')])).to.equal(
        'held',
      )
      answer.catch(() => undefined)
      held.destroy()
      for (let asked = 0; asked < 20; asked += 1)
        expect((await people.ask('GET', '/version')).status, `question ${asked}`).to.equal(200)
    })
  })
})

/** The status of an answer that HAProxy may have given, which is no JSON. */
async function statusOf(client: SystemClient, method: string, path: string, headers: Record<string, string> = {}) {
  try {
    return (await client.ask(method, path, { title: 'a' }, headers)).status
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return 403
  }
}

const derOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
