import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type SecureVersion } from 'node:tls'
import { expect } from 'chai'
import type { Listener } from '#host/listen-for-systems.js'
import { clientCertificate, renewed } from '../support/client-certificate.js'
import { BIN } from '../support/core-registry.js'
import { forEachDatabase } from '../support/databases.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { logInOverHttp } from '../support/login-over-http.js'
import { listCertificates, listPending, openSystemsPort, SystemClient } from '../support/systems.js'

const listed = clientCertificate()
const other = clientCertificate()
const NOT_LISTED = 'One of the provided TLS certificates can not be used for authentication'
const DISABLED = 'TLS certificate used for authentication was disabled'

forEachDatabase((open) => {
  describe('mutual TLS', () => {
    let folder: string
    let host: TestHost
    let systems: Listener
    const clients: SystemClient[] = []
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'registry-mtls-'))
      host = await startTestHost(open)
      systems = await openSystemsPort(host.app, folder)
    })
    beforeEach(() => listCertificates(host.registry, [listed]))
    afterEach(() => {
      for (const client of clients.splice(0)) client.close()
    })
    after(async () => {
      await systems.close()
      await host.close()
      rmSync(folder, { recursive: true })
    })
    const client = (...[certificate, options]: [ConstructorParameters<typeof SystemClient>[1]?, object?]) => {
      const made = new SystemClient(systems.port, certificate, options)
      clients.push(made)
      return made
    }
    const preregister = (by: SystemClient) => by.ask('POST', '', { title: 'contract.txt' })

    it('lets a listed system preregister a document, which is attributed to its organization', async () => {
      const system = client(listed)
      const { status, json, headers } = await preregister(system)
      expect(status).to.equal(200)
      expect(headers['strict-transport-security']).to.equal('max-age=31536000')
      const document = (await system.ask('GET', `/${json.documentId}`)).json
      expect(document.registrator).to.deep.include({ businessId: BIN })
    })

    it('knows a system by the listed certificate, and by another one of its key where the organization says so', async () => {
      const another = client(renewed(listed))
      const { status, json } = await preregister(another)
      expect([status, json.code]).to.deep.equal([401, 'tlsCertificateNotListed'])
      expect(json.details).to.deep.equal({ reason: 'otherCertificate' })
      await listCertificates(host.registry, [{ ...listed, byKey: true }])
      expect((await preregister(another)).status).to.equal(200)
      expect((await preregister(client(listed))).status).to.equal(200)
    })

    it('lets a system act for nobody when a stranger has listed its certificate', async () => {
      const victim = clientCertificate()
      await listPending(host.registry, [victim], 'BIN123456789022')
      const system = client(victim)
      const refused = await preregister(system)
      expect([refused.status, refused.json.code]).to.deep.equal([401, 'tlsCertificatePending'])
      expect((await system.ask('POST', '/auth', { businessId: BIN })).json.code).to.equal('tlsCertificateNotListed')
      await listPending(host.registry, [listed, victim])
      expect((await preregister(system)).status).to.equal(401)
      expect((await system.ask('POST', '/auth', { businessId: BIN })).status).to.equal(200)
      const { json } = await preregister(system)
      const { registrator } = (await system.ask('GET', `/${json.documentId}`)).json
      expect(registrator).to.deep.include({ businessId: BIN })
    })

    describe('with a key that another organization lists too', () => {
      const OTHER_BIN = 'BIN123456789022'
      const shared = clientCertificate()
      const act = (system: SystemClient) => system.ask('POST', '/auth', {})
      beforeEach(async () => {
        await listPending(host.registry, [shared], OTHER_BIN)
        await listPending(host.registry, [shared])
      })

      it('acts for nobody until it says for whom, over its own connection', async () => {
        const system = client(shared)
        for (const refused of [await act(system), await preregister(system)]) {
          expect(refused.status).to.equal(401)
          expect(refused.json.code).to.equal('tlsCertificatePending')
        }
        const confirmed = await system.ask('POST', '/auth', { businessId: BIN })
        expect(confirmed).to.deep.include({ status: 200, json: { businessId: BIN } })
        const { json } = await preregister(system)
        const document = (await system.ask('GET', `/${json.documentId}`)).json
        expect(document.registrator).to.deep.include({ businessId: BIN })
        expect((await act(system)).json.code).to.equal('alreadyAuthenticatedWithTls')
        expect((await system.ask('POST', '/auth', { businessId: OTHER_BIN })).status).to.equal(200)
        expect((await system.ask('GET', '/organizationPermissions')).status).to.equal(200)
      })

      it('is asked for the key by the handshake, and for nothing else beside', async () => {
        const stranger = client(other)
        expect((await stranger.ask('POST', '/auth', { businessId: BIN })).json.code).to.equal('tlsCertificateNotListed')
        const anybody = client()
        expect((await anybody.ask('POST', '/auth', { businessId: BIN })).json.code).to.equal('authenticationRequired')
        const mixed = await client(shared).ask('POST', '/auth', { businessId: BIN, logout: true })
        expect(mixed.json.code).to.equal('invalidJsonStructure')
      })
    })

    it('takes a caller without a certificate for anonymous', async () => {
      const anybody = client()
      expect((await anybody.ask('GET', '/version')).status).to.equal(200)
      expect((await preregister(anybody)).json).to.include({ message: 'Signature is missing' })
    })

    it('refuses a certificate that nobody lists, for anything', async () => {
      for (const path of ['/version', '/nowhere']) {
        const { status, json } = await client(other).ask('GET', path)
        expect(status).to.equal(401)
        expect(json).to.include({ message: NOT_LISTED })
      }
    })

    it('delays an address that shows one refused certificate after another', async () => {
      const limited = await startTestHost(open, { rates: { anonymous: 2, caller: 0 } })
      const port = await openSystemsPort(limited.app, folder)
      const stranger = new SystemClient(port.port, other)
      try {
        const statuses = []
        for (let i = 0; i < 3; i += 1) statuses.push((await stranger.ask('GET', '/version')).status)
        expect(statuses).to.deep.equal([401, 401, 429])
      } finally {
        stranger.close()
        await port.close()
        await limited.close()
      }
    })

    it('refuses a certificate that is disabled from the next request on, on an open connection too', async () => {
      const system = client(listed)
      expect((await preregister(system)).status).to.equal(200)
      await listCertificates(host.registry, [{ ...listed, disabled: true }])
      expect((await preregister(system)).json).to.include({ message: DISABLED })
      await listCertificates(host.registry, [listed])
      expect((await preregister(system)).status).to.equal(200)
      await listCertificates(host.registry, [])
      expect((await preregister(system)).json).to.include({ message: NOT_LISTED })
    })

    it('ignores cookies', async () => {
      const cookie = await logInOverHttp(host.url, host.authorities.person())
      expect((await client().ask('GET', '/auth', undefined, { cookie })).status).to.equal(401)
      expect((await client().ask('GET', '/settings', undefined, { cookie })).status).to.equal(401)
      const asSystem = await client(listed).ask('GET', '/settings', undefined, { cookie })
      expect([asSystem.status, asSystem.json.message]).to.deep.equal([403, 'Access denied'])
      expect(asSystem.headers).to.not.have.property('set-cookie')
    })

    it('has no place for authentication by nonce', async () => {
      for (const caller of [client(listed), client()]) {
        for (const body of [{}, { nonce: 'A', signature: 'A' }, { logout: true }]) {
          const { json, headers } = await caller.ask('POST', '/auth', body)
          expect(json).to.include({ message: 'Already authenticated with TLS certificate' })
          expect(headers).to.not.have.property('set-cookie')
        }
      }
    })

    it('believes no header about certificates or addresses', async () => {
      const header = `:${listed.der.toString('base64')}:`
      const { json } = await client().ask('POST', '', { title: 'a' }, { 'client-cert': header })
      expect(json).to.include({ message: 'Signature is missing' })
    })

    it('speaks TLS 1.3 and nothing older', async () => {
      const protocolOf = (maxVersion: SecureVersion) =>
        new Promise((resolve) => {
          const socket = connect({ port: systems.port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion })
          socket.once('secureConnect', () => {
            resolve(socket.getProtocol())
            socket.destroy()
          })
          socket.once('error', ({ message }) => resolve(message))
        })
      expect(await protocolOf('TLSv1.3')).to.equal('TLSv1.3')
      expect(await protocolOf('TLSv1.2')).to.match(/protocol version/)
    })

    it('knows the system on a resumed connection, and nobody on one resumed without a certificate', async () => {
      const sessionOf = (certificate: { cert: string; key: string } | object) =>
        new Promise<Buffer>((resolve, reject) => {
          const options = { port: systems.port, host: '127.0.0.1', rejectUnauthorized: false, ...certificate }
          const socket = connect(options, () => socket.write('GET /api/version HTTP/1.1\r\nhost: x\r\n\r\n'))
          socket.once('session', (session) => {
            resolve(session)
            socket.destroy()
          })
          socket.once('error', reject)
        })
      const own = await sessionOf({ cert: listed.pem, key: listed.key })
      expect((await preregister(client(listed, { session: own }))).status).to.equal(200)
      const nobodys = await sessionOf({})
      const resumed = await preregister(client(listed, { session: nobodys }))
      expect([200, 400]).to.include(resumed.status)
      await listCertificates(host.registry, [{ ...listed, disabled: true }])
      expect((await preregister(client(undefined, { session: own }))).json).to.include({ message: DISABLED })
    })

    it('answers malformed HTTP with an error of the catalogue', async () => {
      const answer = await new Promise<string>((resolve) => {
        const options = { port: systems.port, host: '127.0.0.1', rejectUnauthorized: false }
        const socket = connect(options, () => socket.write('nonsense\r\n\r\n'))
        let said = ''
        socket.on('data', (chunk) => {
          said += chunk
        })
        socket.on('close', () => resolve(said))
      })
      expect(answer).to.contain('Invalid HTTP request headers')
    })
  })
})
