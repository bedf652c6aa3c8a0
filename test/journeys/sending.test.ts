import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localCertificate, type Subject } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import type { Listener } from '#host/listen-for-systems.js'
import { clientCertificate } from '../support/client-certificate.js'
import { forEachDatabase } from '../support/databases.js'
import { eventsOf } from '../support/events.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { signNonce } from '../support/login.js'
import { tokenIn } from '../support/login-over-http.js'
import { UNTITLED } from '../support/packages.js'
import { openSystemsPort, SystemClient } from '../support/systems.js'

const nobody = { authorities: [], tlsCertificatesIndices: [], iins: [] }
const ORIGINALS = ['contract', 'annex', 'invoice'].map((text) => Buffer.from(`${text}\n`))
const SHA256 = '2.16.840.1.101.3.4.2.1'

/** A client of the API; gives the JSON of answers with status 200. */
type Ask = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) => Promise<T>

forEachDatabase((open) => {
  describe('a package on its way from one organization to another, over TLS', () => {
    let folder: string
    let host: TestHost
    let systems: Listener
    const clients: SystemClient[] = []
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'registry-sending-'))
      const { cert, key } = localCertificate(folder)
      host = await startTestHost(open, { tls: { cert: Buffer.from(cert), key: Buffer.from(key) } })
      systems = await openSystemsPort(host.app, folder)
    })
    after(async () => {
      for (const client of clients) client.close()
      await systems.close()
      await host.close()
      rmSync(folder, { recursive: true, force: true })
    })

    /** Opens a connection of somebody's own, which trusts the host's certificate and no other. */
    const connect = (port: number, certificate?: ReturnType<typeof clientCertificate>, cookie?: string): Ask => {
      const ca = localCertificate(folder).cert
      const client = new SystemClient(port, certificate, { ca, rejectUnauthorized: true })
      clients.push(client)
      return async <T>(method: string, path: string, body?: unknown) => {
        const { status, json } = await client.ask(method, path, body, cookie === undefined ? {} : { cookie })
        expect(status, JSON.stringify(json)).to.equal(200)
        return json as T
      }
    }
    const peoplesPort = () => Number(new URL(host.url).port)

    /** Logs somebody in; gives a client with their session. */
    const logIn = async (subject: Subject): Promise<Ask> => {
      const client = new SystemClient(peoplesPort(), undefined, { ca: localCertificate(folder).cert })
      clients.push(client)
      const { json } = await client.ask('POST', '/auth', {})
      const answer = await client.ask('POST', '/auth', {
        nonce: json.nonce,
        signature: signNonce(subject, String(json.nonce)),
      })
      const token = tokenIn({ headers: new Headers({ 'set-cookie': String(answer.headers['set-cookie']) }) })
      return connect(peoplesPort(), undefined, `jwt=${token}`)
    }

    it('appears to the receiver when it is complete, and comes back to the sender signed and accepted', async () => {
      const [from, to] = ['900140000017', '900240000025'] as const
      const certificate = clientCertificate()
      const senderHead = await logIn(host.authorities.employee({ bin: from, role: 'head' }))
      const first = { ...nobody, tlsCertificatesIndices: [0] }
      await senderHead('POST', '/organizationSettings', {
        tlsCertificatesList: [{ body: certificate.pem }],
        documentsPackagesRoute: first,
        routedDocumentsPackagesView: first,
        packagesAccess: first,
        documentsAccess: first,
      })
      const system = connect(systems.port, certificate)
      await system('POST', '/auth', { businessId: `BIN${from}` })

      const lawyer = host.authorities.employee({ bin: to, iin: '850101300012' })
      const iins = ['IIN850101300012']
      const receiverHead = await logIn(host.authorities.employee({ bin: to, role: 'head' }))
      await receiverHead('POST', '/organizationSettings', {
        documentsPackagesRoute: { ...nobody, iins },
        routedDocumentsPackagesView: { ...nobody, iins },
      })
      const receiver = await logIn(lawyer)

      // A system registers a package of three documents and sends it.
      const { packageId, documentsIds } = await system<{ packageId: string; documentsIds: string[] }>(
        'POST',
        '/package',
        {
          ...UNTITLED,
          title: 'Deal',
          documents: ['contract.txt', 'annex.txt', 'invoice.txt'].map((title) => ({ ...UNTITLED, title })),
          settings: { private: true, signWholePackage: true },
          documentsSettings: { private: true },
          send: { to: `BIN${to}`, comment: 'Please sign' },
        },
      )

      // Its hashes are fixed one by one; the receiver sees nothing before the last.
      let outgoingId: unknown
      for (const [index, id] of documentsIds.entries()) {
        expect(await receiver('GET', '/incoming')).to.deep.equal({ incomingTotal: 0, items: [] })
        expect(outgoingId).to.equal(undefined)
        const fixed = await system('POST', `/${id}/data`, ORIGINALS[index])
        outgoingId = fixed.outgoingId
        const digest = createHash('sha256')
          .update(ORIGINALS[index] ?? '')
          .digest('base64')
        expect(fixed.digests).to.have.property(SHA256, digest)
      }
      expect(outgoingId).to.be.a('string')

      // The receiver's employee sees it appear, with the package and its documents, and comments.
      const { items } = await receiver<{ items: Record<string, string>[] }>(
        'GET',
        '/incoming?status=new&includeDetails=true',
      )
      const [item] = items
      expect(item).to.deep.include({ packageId, sender: `BIN${from}`, receiver: `BIN${to}`, status: 'new' })
      expect(item?.package).to.include({ packageId, title: 'Deal' })
      const incomingId = item?.incomingId
      expect((await receiver('GET', `/${documentsIds[0]}`)).title).to.equal('contract.txt')
      await receiver('POST', `/incoming/${incomingId}/comment`, { comment: 'Reading' })

      // They sign the whole package, and accept it.
      const signatures = ORIGINALS.map((original) => ({
        signature: lawyer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64'),
      }))
      const signed = await receiver<{ registrationResults: { signId: number }[] }>('POST', `/package/${packageId}`, {
        signatures,
      })
      expect(signed.registrationResults).to.have.length(3)
      await receiver('POST', `/incoming/${incomingId}/comment`, { status: 'accepted', comment: 'Signed' })

      // The sender sees status, comments and signatures.
      const outgoing = await system<{ status: string; comments: Record<string, unknown>[] }>(
        'GET',
        `/outgoing/${outgoingId}?includeDetails=true`,
      )
      expect(outgoing).to.deep.include({ status: 'accepted', packageId })
      expect(outgoing.comments.map(({ author, status, value }) => [author, status, value])).to.deep.equal([
        [`BIN${from}`, undefined, 'Please sign'],
        [`BIN${to}`, undefined, 'Reading'],
        [`BIN${to}`, 'accepted', 'Signed'],
      ])
      const document = await system<{ signatures: Record<string, string>[] }>('GET', `/${documentsIds[2]}`)
      expect(document.signatures.map(({ userId, businessId }) => [userId, businessId])).to.deep.equal([
        [...iins, `BIN${to}`],
      ])
      expect((await system('GET', `/package/${packageId}`)).outgoingIds).to.deep.equal([outgoingId])
      expect((await receiver('GET', `/package/${packageId}`)).incomingIds).to.deep.equal([incomingId])

      // All of it was published as events.
      const events = eventsOf(host.registry)
      expect(events.map(({ type }) => type)).to.deep.equal([
        'packageRegistered',
        'itemSent',
        'documentCompleted',
        'documentCompleted',
        'documentCompleted',
        'packageCompleted',
        'itemDelivered',
        'itemCommented',
        'signatureRegistered',
        'signatureRegistered',
        'signatureRegistered',
        'packageSigned',
        'itemDecided',
      ])
      expect(events.at(-1)).to.deep.include({
        itemId: outgoingId,
        subject: { packageId },
        status: 'accepted',
        commentsCount: 3,
        author: `BIN${to}`,
      })
    })
  })
})
