import { MAX_ADD_CHECKPOINT, originHash, verifyCosignature } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { LogWorker } from '#core/log/log-worker.js'
import type { ErrorsStatus } from '#host/error-status.js'
import { forSqlite, openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { sendRaw } from '../../support/http.js'
import { askedCheckpoint } from '../../support/log/asked-checkpoint.js'
import { logKeyOf } from '../../support/log/note-keys.js'
import { newLogKey } from '../../support/log-key.js'

const origin = 'log.example/one'
const ask = (from: number, to: number, key = 1) => askedCheckpoint(origin, key, from, to)

describe('a host as a witness (C2SP tlog-witness)', () => {
  const log = { witnessFor: `log ${logKeyOf(origin, 1)}\nquorum none\n`, witnessKey: newLogKey() }
  for (const errorsStatus of ['semantic', 'always-200'] satisfies ErrorsStatus[])
    describe(`where statuses of errors are ${errorsStatus}`, () => {
      forSqlite((open) => {
        let host: TestHost
        before(async () => {
          host = await startTestHost(open, { errorsStatus, registry: { log } })
          await host.registry.get(LogWorker).run()
        })
        after(() => host.close())

        const post = async (body: string, headers: Readonly<Record<string, string>> = {}) => {
          const response = await fetch(`${host.url}/api/witness/add-checkpoint`, { method: 'POST', body, headers })
          return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
        }
        const get = async (of: string, headers: Readonly<Record<string, string>> = {}) => {
          const response = await fetch(`${host.url}/api/witness/${originHash(of)}/checkpoint`, { headers })
          return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
        }

        it('answers 404 for a log that it does not know, or has not cosigned yet', async () => {
          expect(await get(origin)).to.include({ status: 404 })
          expect(await get('unknown')).to.include({ status: 404 })
          expect(await post(await askedCheckpoint('unknown', 1, 0, 1))).to.include({ status: 404 })
        })

        it('answers 200 with signature lines, which the monitored checkpoint has too', async () => {
          const request = await ask(0, 4)
          const answer = await post(request)
          expect(answer).to.include({ status: 200, type: 'text/plain; charset=utf-8' })
          expect(answer.text).to.match(/^\u2014 127\.0\.0\.1:\d+\/witness [A-Za-z0-9+/]+=*\n$/u)
          const note = request.slice(request.indexOf('\n\n') + 2) + answer.text
          const { witnessKey } = JSON.parse(await (await fetch(`${host.url}/api/log`)).text())
          expect(verifyCosignature(note, witnessKey)?.time).to.be.greaterThan(0)
          expect(await get(origin)).to.deep.equal({ status: 200, type: 'text/plain; charset=utf-8', text: note })
        })

        it('answers JSON to clients that accept only that', async () => {
          const headers = { accept: 'application/json' }
          expect(JSON.parse((await post(await ask(4, 4), headers)).text)).to.have.keys('signatures')
          expect(JSON.parse((await get(origin, headers)).text)).to.have.keys('checkpoint')
        })

        it('answers 409 with the size in text/x.tlog.size', async () => {
          const conflict = { status: 409, type: 'text/x.tlog.size', text: '4\n' }
          expect(await post(await ask(0, 9))).to.deep.equal(conflict)
        })

        it('answers 400, 403, 413 and 422 as the specification has them', async () => {
          expect(await post('anything')).to.include({ status: 400 })
          expect(await post(await ask(9, 4))).to.include({ status: 400 })
          expect(await post(await ask(4, 9, 2))).to.include({ status: 403 })
          expect(await post('x'.repeat(MAX_ADD_CHECKPOINT + 1))).to.include({ status: 413 })
          const request = await ask(4, 9)
          expect(await post(request.replace(/\n.*\n/, '\n'))).to.include({ status: 422 })
        })

        it('takes a body without a type, as a program may send it', async () => {
          const body = await ask(4, 4)
          const head = `POST /api/witness/add-checkpoint HTTP/1.1\r\nHost: ${new URL(host.url).host}\r\nConnection: close\r\n`
          const answer = await sendRaw(host.url, `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
          expect(answer).to.match(/^HTTP\/1\.1 200 /)
        })
      })
    })

  it('is none unless it is told whose', async () => {
    const host = await startTestHost(openSqlite)
    const answer = await fetch(`${host.url}/api/witness/add-checkpoint`, { method: 'POST', body: await ask(0, 1) })
    expect(answer.status).to.equal(404)
    await host.close()
  })
})
