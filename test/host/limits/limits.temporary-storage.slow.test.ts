import { randomBytes } from 'node:crypto'
import { ArchiveStore, provideValue } from '@signed-registry/core'
import { SaveUserSettings } from '@signed-registry/core/settings'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { KeptLedger } from '#core/ledger/kept-ledger.js'
import { SweepOriginals } from '#core/originals/index.js'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { type Answer, openSocket, receivedBy, request } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { MemoryStore } from '../../support/memory-store.js'
import { UNTITLED } from '../../support/packages.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { shareDifferences } from '../../support/share-differences.js'
import { until } from '../../support/until.js'

const SIZE = 4000
const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const [A, B, C] = ['198.51.100.1', '198.51.100.2', '2001:db8:1:2::1']
/** What registering answers, of a document or of a package. */
interface Registered {
  readonly documentId?: string
  readonly documentsIds?: string[]
  readonly dataSecret?: string
}
const IIN = 'IIN900101300017'

forEachDatabase((open) => {
  describe('temporary storage by owner', () => {
    let host: TestHost
    let store: MemoryStore
    let clock: { time: number; now(): number }
    beforeEach(async () => {
      clock = { time: Date.now(), now: () => clock.time }
      store = new MemoryStore()
      const authorities = presentAuthorities()
      host = await startTestHost(open, {
        clock,
        authorities,
        plugins: [devAuthorities({ authorities }), { name: 'memory', provides: [provideValue(ArchiveStore, store)] }],
        proxies: { trusted: ['127.0.0.1'], certificateHeader: undefined },
        registry: {
          shares: { temporaryStorage: { stranger: 2.5 * SIZE, strangers: 3.5 * SIZE, person: 5 * SIZE } },
        },
      })
    })
    afterEach(async () => {
      await sweep()
      expect(await shareDifferences(host.registry)).to.deep.equal([])
      await host.close()
    })

    const sweep = () => host.registry.get(SweepOriginals).run()
    const kept = async () =>
      Object.fromEntries(
        (await host.registry.get(KeptLedger).largest('temporaryStorage', 10)).map(({ owner, used }) => [owner, used]),
      )
    /** Headers of a stranger at an address, or of somebody who is logged in there. */
    const from = (address: string, cookie?: string) => ({ 'x-forwarded-for': address, ...(cookie && { cookie }) })
    const post = (path: string, headers: Record<string, string>, body: unknown) =>
      request<Registered>(`${host.url}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    /** A package whose documents anybody may download while nobody has signed; gives the addresses for their originals. */
    const register = async (headers: Record<string, string>, documents = 1, settings: object = {}) => {
      const documentsSettings = {
        tempStorageAfterRegistration: 31 * DAY,
        publicDuringPreregistration: true,
        ...settings,
      }
      const body = { ...UNTITLED, documents: Array(documents).fill(UNTITLED), documentsSettings }
      const { json, status, text } = await post('/api/package', headers, body)
      expect(status, text).to.equal(200)
      const { documentsIds = [], dataSecret = '' } = json
      return documentsIds.map((id) => `/api/${id}/data?dataSecret=${dataSecret}`)
    }
    const bring = (path: string, headers: Record<string, string>, original = randomBytes(SIZE)) =>
      request(`${host.url}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: original,
      })
    const codeOf = ({ status, json }: Answer) => [status, json.code]
    const documentOf = (path: string, headers: Record<string, string>) =>
      request(`${host.url}${path.replace(/\/data.*/, '')}`, { headers })

    it('is bounded for one address and for all together, but not for authenticated callers', async () => {
      const strangers = await register(from(A), 4)
      for (const path of strangers.slice(0, 2)) {
        const { status, json } = await bring(path, from(A))
        expect([status, json.tempStorage]).to.deep.equal([200, true])
      }
      const refused = await bring(strangers[2] ?? '', from(A))
      expect(codeOf(refused)).to.deep.equal([429, 'shareTaken'])
      expect(refused.headers.get('retry-after')).to.match(/^\d+$/)
      expect(refused.json.details).to.deep.include({ resource: 'temporaryStorage', limit: 2.5 * SIZE })
      expect((await documentOf(strangers[2] ?? '', from(A))).json).to.include({ signedDataSize: 0, tempStorage: false })
      expect(store.objects.size).to.equal(2)
      // With the secret, another address may upload it, within its own share.
      expect(codeOf(await bring(strangers[2] ?? '', from(B)))).to.deep.equal([200, undefined])
      const busy = await bring(strangers[3] ?? '', from(C))
      expect(codeOf(busy)).to.deep.equal([503, 'serviceBusy'])
      expect(busy.headers.get('retry-after')).to.match(/^\d+$/)
      expect(await kept()).to.deep.equal({
        ...{ whole: 3 * SIZE, strangers: 3 * SIZE },
        ...{ [`at ${A}`]: 2 * SIZE, [`at ${B}`]: SIZE },
      })
      // Authenticated callers are not affected, even at the same address.
      const cookie = await logInOverHttp(host.url, host.authorities.person({ iin: IIN.slice(3) }))
      for (const path of await register(from(A, cookie), 5))
        expect(codeOf(await bring(path, from(A, cookie)))).to.deep.equal([200, undefined])
      expect(await kept()).to.deep.include({ [IIN]: 5 * SIZE, strangers: 3 * SIZE })
    })

    it('is refused before a byte of the original is read', async () => {
      const [path = ''] = await register(from(A))
      const socket = await openSocket(host.url)
      const answer = receivedBy(socket)
      const head = [`Host: x`, `X-Forwarded-For: ${A}`, 'Content-Type: application/octet-stream', 'Connection: close']
      socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\nContent-Length: ${3 * SIZE}\r\n\r\n`)
      expect(await answer)
        .to.match(/^HTTP\/1\.1 429 /)
        .and.include('"code":"shareTaken"')
      expect(await kept()).to.deep.equal({})
    })

    it('gives the last bytes to one of several who race for them', async () => {
      const paths = await register(from(A), 8)
      const answers = await Promise.all(paths.map((path) => bring(path, from(A))))
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses).to.deep.equal([200, 200, 429, 429, 429, 429, 429, 429])
      expect(await kept()).to.include({ [`at ${A}`]: 2 * SIZE })
      expect(store.objects.size).to.equal(2)
    })

    it('ends for anonymous callers after a day, whatever the settings say, and releases the share', async () => {
      const cookie = await logInOverHttp(host.url, host.authorities.person({ iin: IIN.slice(3) }))
      const [first = '', second = '', third = ''] = await register(from(A), 3)
      for (const path of [first, second]) await bring(path, from(A))
      const [known = ''] = await register(from(A, cookie))
      await bring(known, from(A, cookie))
      clock.time += DAY - 1
      expect((await documentOf(first, from(A))).json).to.include({ tempStorage: true })
      clock.time += 1
      expect((await documentOf(first, from(A))).json).to.include({ tempStorage: false })
      expect(codeOf(await request(`${host.url}${first}`, { headers: from(A) }))).to.deep.equal([404, 'archiveNotFound'])
      expect((await documentOf(known, from(A))).json).to.include({ tempStorage: true })
      await sweep()
      expect(await kept()).to.deep.equal({ whole: SIZE, strangers: 0, [IIN]: SIZE })
      expect(store.objects.size).to.equal(1)
      // By now it has expired for anonymous callers; authenticated ones have the rest of the time.
      expect((await bring(third, from(A))).json).to.include({ tempStorage: false })
      const verify = first.replace(/\/data.*/, '/verify')
      await bring(verify, from(A, cookie))
      expect(await kept()).to.deep.equal({ whole: SIZE, strangers: 0, [IIN]: SIZE })
      clock.time += 30 * DAY
      await sweep()
      expect(await kept()).to.deep.equal({ whole: 0, strangers: 0 })
      expect(store.objects.size).to.equal(0)
    })

    it('counts against the uploader, not the signer, and is released when an archive takes over', async () => {
      const person = host.authorities.person({ iin: IIN.slice(3) })
      const original = randomBytes(SIZE)
      const signature = person.signCms(original, { timeStamp: true }).toString('base64')
      const settings = { tempStorageAfterRegistration: HOUR }
      const { json } = await post('/api', from(A), { signature, settings })
      const path = `/api/${json.documentId}/data`
      expect((await bring(path, from(A), original)).json).to.include({ tempStorage: true, dataArchived: false })
      expect(await kept()).to.deep.equal({ whole: SIZE, strangers: SIZE, [`at ${A}`]: SIZE })
      const archiving = { dataArchiveEnabled: true, dataArchiveContactEmail: 'a@example.kz' }
      await host.registry.get(SaveUserSettings).execute(personCaller(IIN), { request: archiving })
      const verified = await bring(path.replace('/data', '/verify'), from(B), original)
      expect(verified.json).to.include({ tempStorage: true, dataArchived: true })
      expect(await kept()).to.deep.equal({ whole: 0, strangers: 0 })
      clock.time += HOUR
      await sweep()
      expect(store.objects.size).to.equal(1)
    })

    it('counts against whoever extends it, within their share', async () => {
      const person = host.authorities.person({ iin: IIN.slice(3) })
      const headers = from(B, await logInOverHttp(host.url, person))
      const filled = await register(headers, 4)
      for (const path of filled) await bring(path, headers)
      const ids: string[] = []
      for (const original of [randomBytes(SIZE), randomBytes(SIZE)]) {
        const signature = person.signCms(original, { timeStamp: true }).toString('base64')
        const settings = { tempStorageAfterRegistration: HOUR }
        const { documentId = '' } = (await post('/api', from(A), { signature, settings })).json
        await bring(`/api/${documentId}/data`, from(A), original)
        ids.push(documentId)
      }
      expect(await kept()).to.include({ [`at ${A}`]: 2 * SIZE, [IIN]: 4 * SIZE })
      const change = (id: string | undefined, settings: object) =>
        request(`${host.url}/api/${id}/settings`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(settings),
        })
      const longer = { tempStorageAfterRegistration: 2 * DAY }
      expect(codeOf(await change(ids[0], { ...longer, forceArchive: true }))).to.deep.equal([
        400,
        'invalidDocumentSettings',
      ])
      expect((await change(ids[0], longer)).status).to.equal(200)
      const refused = await change(ids[1], longer)
      expect(codeOf(refused)).to.deep.equal([429, 'shareTaken'])
      expect(refused.headers.get('retry-after')).to.equal('60')
      expect(await kept()).to.include({ [`at ${A}`]: SIZE, [IIN]: 5 * SIZE })
      clock.time += DAY
      const there = await Promise.all(ids.map((id) => documentOf(`/api/${id}`, headers)))
      expect(there.map(({ json }) => json.tempStorage)).to.deep.equal([true, false])
    })

    it('passes to the first authenticated caller who uploads the same original again', async () => {
      const person = host.authorities.person({ iin: IIN.slice(3) })
      const headers = from(B, await logInOverHttp(host.url, person))
      const original = randomBytes(SIZE)
      const signature = person.signCms(original, { timeStamp: true }).toString('base64')
      const settings = { tempStorageAfterRegistration: 3 * DAY }
      const { documentId = '' } = (await post('/api', from(A), { signature, settings })).json
      await bring(`/api/${documentId}/data`, from(A), original)
      expect(await kept()).to.include({ [`at ${A}`]: SIZE })
      const verify = `/api/${documentId}/verify`
      for (const again of [headers, from(C), headers]) {
        expect((await bring(verify, again, original)).json).to.include({ tempStorage: true })
        expect(await kept()).to.deep.equal({ whole: SIZE, strangers: 0, [IIN]: SIZE })
      }
      clock.time += 2 * DAY
      await sweep()
      expect((await documentOf(verify.replace('/verify', ''), headers)).json).to.include({ tempStorage: true })
    })

    it('is released after uploads that break off or are wrong', async () => {
      const [path = ''] = await register(from(A))
      const socket = await openSocket(host.url)
      socket.on('error', () => undefined)
      const head = [`Host: x`, `X-Forwarded-For: ${A}`, 'Content-Type: application/octet-stream']
      socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\nContent-Length: ${SIZE}\r\n\r\nabc`)
      await until(async () => (await kept())[`at ${A}`] === SIZE)
      socket.destroy()
      await until(async () => (await kept())[`at ${A}`] === undefined)
      const signature = host.authorities.person().signCms(Buffer.from('a'), { timeStamp: true }).toString('base64')
      const settings = { tempStorageAfterRegistration: HOUR }
      const { json } = await post('/api', from(A), { signature, settings })
      expect(codeOf(await bring(`/api/${json.documentId}/data`, from(A)))).to.deep.equal([
        422,
        'signatureDoesNotCorrespond',
      ])
      expect(await kept()).to.deep.equal({ whole: 0, strangers: 0 })
      expect(store.objects.size).to.equal(0)
    })

    it('is refused together with a document that comes with its original, and nothing is registered', async () => {
      const person = host.authorities.person()
      const form = (original: Buffer<ArrayBuffer>) => {
        const signature = person.signCms(original, { timeStamp: true }).toString('base64')
        const body = new FormData()
        const json = JSON.stringify({ signature, settings: { tempStorageAfterRegistration: HOUR } })
        body.append('request', new Blob([json], { type: 'application/json' }))
        body.append('original', new Blob([original]))
        return request(`${host.url}/api`, { method: 'POST', headers: from(A), body })
      }
      expect((await form(randomBytes(2 * SIZE))).json).to.include({ tempStorage: true })
      const original = randomBytes(SIZE)
      expect(codeOf(await form(original))).to.deep.equal([429, 'shareTaken'])
      const cookie = await logInOverHttp(host.url, person)
      const { json } = await request<{ documentsInfo?: unknown[] }>(`${host.url}/api?lastDocumentId=&incomplete=true`, {
        headers: from(A, cookie),
      })
      expect(json.documentsInfo ?? []).to.deep.equal([])
    })

    it('is not what a package without signatures is archived by: nobody would pay', async () => {
      const [path = ''] = await register(from(A), 1, { forceArchive: true, tempStorageAfterRegistration: 0 })
      expect((await bring(path, from(A))).json).to.include({ dataArchived: false, tempStorage: false })
      expect(store.objects.size).to.equal(0)
    })
  })
})
