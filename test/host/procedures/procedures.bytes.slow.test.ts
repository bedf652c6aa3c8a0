import { randomBytes } from 'node:crypto'
import http from 'node:http'
import { ArchiveStore, Database, provideValue } from '@signed-registry/core'
import type { BegunRawProcedure } from '@signed-registry/core/procedures'
import { addressIn, DevPhone, devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { KeptLedger } from '#core/ledger/kept-ledger.js'
import { CheckArchive } from '#core/originals/check-archive.js'
import { SweepOriginals } from '#core/originals/index.js'
import { ForgetProcedures } from '#core/procedures/end-procedures.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { request } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { MemoryStore } from '../../support/memory-store.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { randomData } from '../../support/random-data.js'
import { shareDifferences } from '../../support/share-differences.js'
import { until } from '../../support/until.js'

/** More than stays in the database, so that every body of some is large. */
const UNIT = 384 * 1024
const MINUTE = 60_000
/** Of a clock that stands still: the app looks at it as often in real time. */
const APP_WAIT = 50
const [A, B, C] = ['198.51.100.1', '198.51.100.2', '198.51.100.3']
const IIN = 'IIN900101300017'
const shares = { procedureBytes: { stranger: 3 * UNIT, strangers: 4 * UNIT, person: 8 * UNIT } }

const nothing = () => undefined
const silentLogger = { info: nothing, warn: nothing, error: nothing }

/** Sends bytes with a length, or as they come without one; rejects when the connection breaks. */
function send(url: string, method: string, body: Buffer | undefined, { isChunked = false, headers = {} } = {}) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const type = body && { 'content-type': 'application/octet-stream' }
    const length = body && !isChunked ? { 'content-length': body.length } : {}
    const sent = http.request(url, { method, agent: false, headers: { ...type, ...length, ...headers } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      )
      answer.on('error', reject)
    })
    sent.on('error', reject)
    if (isChunked) sent.write(body?.subarray(0, 1))
    sent.end(isChunked ? body?.subarray(1) : body)
  })
}
const codeOf = ({ status, body }: { status: number; body: Buffer }) => [status, JSON.parse(String(body)).code]

forEachDatabase((open) => {
  describe('what passes through procedures', () => {
    let host: TestHost
    let store: MemoryStore
    let clock: { time: number; now(): number }
    const start = async (hasStore: boolean) => {
      clock = { time: Date.now(), now: () => clock.time }
      store = new MemoryStore()
      const authorities = presentAuthorities()
      const memory = { name: 'memory', provides: [provideValue(ArchiveStore, store)] }
      host = await startTestHost(open, {
        clock,
        authorities,
        logger: silentLogger,
        plugins: [devAuthorities({ authorities }), ...(hasStore ? [memory] : [])],
        proxies: { trusted: ['127.0.0.1'], certificateHeader: undefined },
        registry: { shares, limits: { appWaitMs: APP_WAIT, procedureBytes: 16 * UNIT } },
      })
    }
    /** Ends the time of all procedures, and forgets them. */
    const forget = async () => {
      clock.time += 7 * MINUTE
      await host.registry.get(ForgetProcedures).run()
      await host.registry.get(SweepOriginals).run()
    }
    const rowsIn = async (name: string) => (await host.registry.get(Database).query(name).select()).length
    const kept = async () =>
      Object.fromEntries(
        (await host.registry.get(KeptLedger).largest('procedureBytes', 10)).map(({ owner, used }) => [owner, used]),
      )
    const begin = async (address: string, cookie?: string) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': address, ...(cookie && { cookie }) }
      const init = { method: 'POST', headers, body: JSON.stringify({ description: '', authType: 'None' }) }
      return (await request<BegunRawProcedure>(`${host.url}/api/govQr`, init)).json
    }
    /** The app connects, and the uploaded data are read. */
    const comes = async ({ govMobileLaunchLink }: BegunRawProcedure) => {
      const app = new DevPhone(host.authorities.person())
      return (await app.open(addressIn(govMobileLaunchLink))).document.uri
    }
    /** Uploads data to a procedure and has the app request them; ends its wait when there are none. */
    const offer = async (begun: BegunRawProcedure, body: Buffer, how: { isChunked?: boolean } = {}) => {
      const uri = await comes(begun)
      const given = send(uri, 'GET', undefined)
      return { uri, given, ...(await send(begun.dataURL, 'POST', body, how)) }
    }
    const bring = async (begun: BegunRawProcedure, body: Buffer, how: { isChunked?: boolean } = {}) => {
      const offered = await offer(begun, body, how)
      clock.time += APP_WAIT
      return { ...offered, given: (await offered.given).body }
    }

    for (const hasStore of [true, false])
      describe(hasStore ? 'with an archive store' : 'without an archive store', () => {
        beforeEach(() => start(hasStore))
        afterEach(async () => {
          await forget()
          expect(await shareDifferences(host.registry)).to.deep.equal([])
          expect(await kept()).to.deep.equal(Object.fromEntries(Object.keys(await kept()).map((owner) => [owner, 0])))
          expect(await rowsIn('registry_procedure_chunks')).to.equal(0)
          expect(await rowsIn('registry_archive_pieces')).to.equal(0)
          expect(store.objects.size).to.equal(0)
          await host.close()
        })

        it('comes back byte for byte, of any size, and large bodies leave the database alone', async () => {
          for (const size of [0, 1000, 256 * 1024, 256 * 1024 + 1, 512 * 1024, 512 * 1024 + 77]) {
            const begun = await begin(A)
            const [asked, returned] = [randomData(size), randomData(size)]
            const { status, given, uri } = await bring(begun, asked, { isChunked: size % 2 === 1 })
            expect(status).to.equal(200)
            expect(given.equals(asked), `${size}`).to.equal(true)
            expect((await send(uri, 'PUT', returned)).status).to.equal(200)
            const result = await send(begun.signURL, 'GET', undefined)
            expect(result.body.equals(returned), `${size}`).to.equal(true)
            expect(await kept()).to.deep.include(size === 0 ? {} : { [`at ${A}`]: 2 * size })
            expect(await shareDifferences(host.registry)).to.deep.equal([])
            const isSmall = size <= 256 * 1024
            if (hasStore) expect(store.objects.size > 0).to.equal(!isSmall)
            if (hasStore && !isSmall) expect(await rowsIn('registry_procedure_chunks')).to.equal(0)
            for await (const finding of hasStore ? host.registry.get(CheckArchive).findings() : [])
              expect(finding.kind).to.equal('progress')
            await forget()
          }
        })

        it('is bounded for one address in all its procedures and for all addresses, but not for authenticated callers', async () => {
          expect((await bring(await begin(A), randomData(2 * UNIT))).status).to.equal(200)
          for (const isChunked of [false, true]) {
            const refused = await bring(await begin(A), randomData(UNIT + 1), { isChunked })
            expect(codeOf(refused)).to.deep.equal([429, 'shareTaken'])
            expect(refused.headers['retry-after']).to.match(/^\d+$/)
            expect(await kept()).to.include({ [`at ${A}`]: 2 * UNIT, whole: 2 * UNIT })
          }
          expect((await bring(await begin(B), randomData(2 * UNIT))).status).to.equal(200)
          const busy = await bring(await begin(C), randomData(UNIT))
          expect(codeOf(busy)).to.deep.equal([503, 'serviceBusy'])
          expect(busy.headers['retry-after']).to.match(/^\d+$/)
          const cookie = await logInOverHttp(host.url, host.authorities.person({ iin: IIN.slice(3) }))
          const { status, uri } = await bring(await begin(A, cookie), randomData(4 * UNIT))
          expect(status).to.equal(200)
          // What the app returns counts for who began the procedure; what is too much may come again, smaller.
          expect(codeOf(await send(uri, 'PUT', randomData(4 * UNIT + 1)))).to.deep.equal([429, 'shareTaken'])
          expect((await send(uri, 'PUT', randomData(UNIT))).status).to.equal(200)
          expect(await kept()).to.deep.equal({
            ...{ whole: 9 * UNIT, strangers: 4 * UNIT, [IIN]: 5 * UNIT },
            ...{ [`at ${A}`]: 2 * UNIT, [`at ${B}`]: 2 * UNIT },
          })
        })

        it('is refused before a byte of it is read, where its length was said', async () => {
          const begun = await begin(A)
          const uri = await comes(begun)
          const documents = send(uri, 'GET', undefined)
          const sent = http.request(begun.dataURL, {
            method: 'POST',
            agent: false,
            headers: { 'content-type': 'application/octet-stream', 'content-length': 3 * UNIT + 1 },
          })
          const status = new Promise<number | undefined>((resolve) => {
            sent.on('response', (answer) => resolve(answer.resume().statusCode))
          })
          sent.on('error', () => undefined).flushHeaders()
          expect(await status).to.equal(429)
          sent.destroy()
          clock.time += APP_WAIT
          await documents
        })

        it('admits as many racing uploads as it has room for', async () => {
          const race = async (isChunked: boolean) => {
            const begun = await Promise.all(Array.from({ length: 6 }, () => begin(A)))
            const answers = await Promise.all(begun.map((one) => offer(one, randomData(UNIT), { isChunked })))
            clock.time += APP_WAIT
            await Promise.all(answers.map(({ given }) => given))
            expect(await shareDifferences(host.registry)).to.deep.equal([])
            return answers.map(({ status }) => status).sort()
          }
          expect(await race(false)).to.deep.equal([200, 200, 200, 429, 429, 429])
          expect(await kept()).to.include({ [`at ${A}`]: 3 * UNIT })
          await forget()
          // Who does not say how much comes is counted as it comes: several may be cut off.
          expect(new Set([...(await race(true)), 200])).to.deep.equal(new Set([200, 429]))
          expect((await kept())[`at ${A}`] ?? 0).to.be.at.most(3 * UNIT)
        })

        it('comes back when an upload breaks off', async () => {
          const begun = await begin(A)
          const uri = await comes(begun)
          const documents = send(uri, 'GET', undefined)
          const sent = http.request(begun.dataURL, {
            method: 'POST',
            agent: false,
            headers: { 'content-type': 'application/octet-stream', 'content-length': 2 * UNIT },
          })
          sent.on('error', () => undefined).write(randomData(UNIT))
          await until(async () => (await kept())[`at ${A}`] === 2 * UNIT)
          sent.destroy()
          await until(async () => (await kept())[`at ${A}`] === undefined)
          clock.time += APP_WAIT
          await documents
        })
      })

    it('is not given where the store has other bytes, or none', async () => {
      await start(true)
      try {
        for (const harm of [
          (key: string) => store.set(key, randomBytes(10)),
          (key: string) => store.objects.delete(key),
        ]) {
          const { uri } = await bring(await begin(A), randomData(UNIT))
          harm([...store.objects.keys()][0] ?? '')
          expect(codeOf(await send(uri, 'GET', undefined))).to.deep.equal([503, 'archiveNotRead'])
          await forget()
        }
        store.failure = { error: new Error('gone'), after: 0 }
        const begun = await begin(A)
        const uri = await comes(begun)
        const documents = send(uri, 'GET', undefined)
        expect(await send(begun.dataURL, 'POST', randomData(UNIT)).catch(String)).to.match(/hang up|ECONNRESET/)
        clock.time += APP_WAIT
        await documents
        // What the store could not delete is deleted later.
        await forget()
        store.failure = undefined
        await host.registry.get(SweepOriginals).run()
        expect(await rowsIn('registry_archive_pieces')).to.equal(0)
        expect(await shareDifferences(host.registry)).to.deep.equal([])
      } finally {
        await host.close()
      }
    })
  })
})
