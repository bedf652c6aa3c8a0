import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveFs } from '@signed-registry/archive-fs'
import { archiveS3 } from '@signed-registry/archive-s3'
import { archiveEncryption, type Plugin } from '@signed-registry/core'

import { devAuthorities, localCertificate } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { SweepOriginals } from '#core/originals/index.js'
import { ArchiveAccounts } from '#core/settings/index.js'
import { forEachDatabase } from '../support/databases.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { signNonce } from '../support/login.js'
import { tokenIn } from '../support/login-over-http.js'
import type { ObjectStore } from '../support/object-store.js'
import { testAuthorities } from '../support/pki/authorities.js'
import { exhaustive } from '../support/sweep.js'
import { startSwift, swiftIsInstalled } from '../support/swift.js'
import { SystemClient } from '../support/systems.js'
import { downloadOver } from '../support/tls-download.js'

const DAY = 24 * 60 * 60 * 1000
const QUOTA = 3_000_000
let swift: ObjectStore | undefined

after(() => swift?.stop())

/** Archives, each with the database that the sample uses; the sweep tests every pair. */
const STORES: Readonly<Record<string, { with: RegExp; plugins(folder: string): Promise<Plugin[]> }>> = {
  'encrypted in a folder': {
    with: /^sqlite:/,
    plugins: async (folder) => [
      archiveFs({ folder: join(folder, 'archive') }),
      archiveEncryption({ keys: [{ name: 'a', key: randomBytes(32) }] }),
    ],
  },
  ...(swiftIsInstalled && {
    'in an object store': {
      with: /^mysql:/,
      plugins: async () => {
        swift ??= await startSwift()
        return [archiveS3(await swift.createBucket())]
      },
    },
  }),
}

forEachDatabase((open) => {
  for (const [where, { with: sample, plugins }] of Object.entries(STORES)) {
    describe(`originals that are kept ${where}, over TLS`, () => {
      let folder: string
      let host: TestHost
      let time = Date.now()
      const clock = { now: () => time }
      const clients: SystemClient[] = []
      let start: () => Promise<void>
      before(async function () {
        const url = await open()
        folder = mkdtempSync(join(tmpdir(), 'registry-originals-'))
        if (!exhaustive && !sample.test(url)) this.skip()
        const { cert, key } = localCertificate(folder)
        const authorities = testAuthorities({ clock })
        const parts = [devAuthorities({ authorities }), ...(await plugins(folder))]
        const tls = { cert: Buffer.from(cert), key: Buffer.from(key) }
        start = async () => {
          host = await startTestHost(async () => url, { tls, authorities, plugins: parts, clock })
        }
        await start()
      })
      after(async () => {
        for (const client of clients) client.close()
        await host?.close()
        rmSync(folder, { recursive: true, force: true })
      })

      const connect = () => {
        const client = new SystemClient(Number(new URL(host.url).port), undefined, {
          ca: localCertificate(folder).cert,
        })
        clients.push(client)
        return client
      }

      it('are archived within the quota, read back byte for byte, and deleted when their time is over', async () => {
        const person = host.authorities.person({ iin: '900101300017' })
        const ask = async (method: string, path: string, body?: unknown) => {
          const { status, json } = await connect().ask(method, path, body, cookie === '' ? {} : { cookie })
          expect(status, JSON.stringify(json)).to.equal(200)
          return json
        }
        let cookie = ''
        const logIn = async () => {
          const { nonce } = await ask('POST', '/auth', {})
          const answer = await connect().ask('POST', '/auth', { nonce, signature: signNonce(person, String(nonce)) })
          cookie = `jwt=${tokenIn({ headers: new Headers({ 'set-cookie': String(answer.headers['set-cookie']) }) })}`
        }
        await logIn()
        await ask('POST', '/settings', { dataArchiveEnabled: true, dataArchiveContactEmail: 'archive@example.kz' })
        await host.registry
          .get(ArchiveAccounts)
          .setQuota('IIN900101300017', { bytes: QUOTA, expires: undefined }, 'test')
        const register = async (bytes: Buffer, settings = {}) => {
          time += 1000
          const signature = person.signCms(bytes, { timeStamp: true, ocsp: true }).toString('base64')
          const { documentId } = await ask('POST', '', { title: 'Договор № 1.pdf', signature, settings })
          return { id: String(documentId), ...(await ask('POST', `/${documentId}/data`, bytes)) }
        }
        const usage = async () => (await ask('GET', '/settings')).dataArchiveUsage

        const bytes = randomBytes(2_500_000)
        const archived = await register(bytes)
        expect(archived).to.include({ dataArchived: true, tempStorage: false })
        expect(await usage()).to.equal(bytes.length)

        // Restarted in between, the host still has it: as JSON, as bytes, and in parts.
        await host.close()
        await start()
        await logIn()
        const data = await ask('GET', `/${archived.id}/data`)
        expect(Object.keys(data)).to.deep.equal(['documentId', 'document', 'signedDataSize'])
        expect(data).to.include({ documentId: archived.id, signedDataSize: bytes.length })
        expect(Buffer.from(String(data.document), 'base64').equals(bytes)).to.equal(true)
        const download = (headers: Record<string, string> = {}) =>
          downloadOver(host.url, `/api/${archived.id}/data`, localCertificate(folder).cert, {
            cookie,
            accept: 'application/octet-stream',
            ...headers,
          })
        const whole = await download()
        expect(whole.status).to.equal(200)
        expect(whole.body.equals(bytes)).to.equal(true)
        expect(whole.headers['content-disposition']).to.equal(
          `attachment; filename="_______ _ 1.pdf"; filename*=UTF-8''${encodeURIComponent('Договор № 1.pdf')}`,
        )
        const part = await download({ range: 'bytes=1048570-1048585' })
        expect([part.status, part.headers['content-range']]).to.deep.equal([206, 'bytes 1048570-1048585/2500000'])
        expect(part.body.equals(bytes.subarray(1048570, 1048586))).to.equal(true)
        expect((await download({ range: 'bytes=-4' })).body.equals(bytes.subarray(-4))).to.equal(true)
        const outside = await download({ range: 'bytes=2500000-' })
        expect([outside.status, outside.headers['content-range']]).to.deep.equal([416, 'bytes */2500000'])
        expect(JSON.parse(String(outside.body)))
          .to.include({ code: 'rangeNotSatisfiable' })
          .and.include.keys('requestID')
        expect((await download({ 'if-none-match': String(whole.headers.etag) })).status).to.equal(304)
        expect((await download({ range: 'bytes=0-0', 'if-range': '"other"' })).status).to.equal(200)
        expect((await download({ cookie: '' })).status).to.equal(401)

        // The quota is full: the document is registered all the same.
        const late = await register(randomBytes(1_000_000))
        expect(late).to.include({ dataArchived: false, tempStorage: false })
        expect(await usage()).to.equal(bytes.length)
        expect((await connect().ask('GET', `/${late.id}/data`, undefined, { cookie })).json).to.include({
          message: 'Archive not found',
        })
        const list = await ask('GET', '?dataArchived=true')
        expect((list.documents as { documentId: string }[]).map(({ documentId }) => documentId)).to.deep.equal([
          archived.id,
        ])

        // An original that is kept for a day is gone after it.
        const passing = await register(randomBytes(1_000_000), { tempStorageAfterRegistration: DAY })
        expect(passing).to.include({ dataArchived: false, tempStorage: true })
        expect((await ask('GET', `/${passing.id}/data`)).signedDataSize).to.equal(1_000_000)
        time += DAY
        await logIn()
        expect((await connect().ask('GET', `/${passing.id}/data`, undefined, { cookie })).status).to.equal(404)
        await host.registry.get(SweepOriginals).run()
        expect(await ask('GET', `/${passing.id}`)).to.include({ tempStorage: false })
        expect((await ask('GET', `/${archived.id}/data`)).signedDataSize).to.equal(bytes.length)
      })
    })
  }
})
