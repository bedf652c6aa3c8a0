import http, { type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Ledger } from '@signed-registry/core'
import type { BegunRawProcedure } from '@signed-registry/core/procedures'

import { DevPhone } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postJson, request } from '../../support/http.js'
import { until } from '../../support/until.js'

const DATA = { documentsToSign: [], signMethod: 'CMS_SIGN_ONLY' }
const QUARTER = 15_000

describe('HELD_CALLS=spaces', () => {
  const { setInterval } = globalThis
  let host: TestHost
  before(async () => {
    // The host waits a quarter of a minute between spaces; a test does not.
    const quick = Object.assign(
      (work: () => void, ms?: number) => setInterval(work, ms === QUARTER ? 5 : ms),
      setInterval,
    )
    globalThis.setInterval = quick as typeof setInterval
    host = await startTestHost(openSqlite, { heldCalls: 'spaces' })
  })
  after(async () => {
    globalThis.setInterval = setInterval
    await host.close()
  })

  const begin = async () => (await postJson<BegunRawProcedure>(`${host.url}/api/govQr`, { description: '' })).json
  /** A call that is held: resolves as soon as anything of its answer is there. */
  const hold = (url: string, method: string, body?: object) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      http
        .request(url, { method, headers }, resolve)
        .on('error', reject)
        .end(body && JSON.stringify(body))
    })

  /** A procedure whose caller waits for what the app, which has the data, is about to return by `answer`. */
  const untilSigned = async () => {
    const begun = await begin()
    const [sending, waiting] = await Promise.all([hold(begun.dataURL, 'POST', DATA), hold(begun.signURL, 'GET')])
    const phone = new DevPhone(host.authorities.person())
    const announcement = await phone.open(begun.govMobileLaunchLink)
    await phone.documents(announcement)
    await text(sending)
    const answer = (how?: Parameters<DevPhone['answer']>[2]) => phone.answer(announcement, JSON.stringify(DATA), how)
    return { begun, waiting, answer }
  }

  it('sends status 200 and spaces while a call is held, then exactly what it would have answered', async () => {
    const begun = await begin()
    const [sending, waiting] = await Promise.all([hold(begun.dataURL, 'POST', DATA), hold(begun.signURL, 'GET')])
    for (const { statusCode, headers } of [sending, waiting])
      expect([statusCode, headers['content-type'], headers['x-accel-buffering']]).to.deep.equal([
        200,
        'application/json; charset=utf-8',
        'no',
      ])
    let returned = ''
    const change = (json: object) => {
      returned = ` ${JSON.stringify(json)}\r\n`
      return json
    }
    const phone = new DevPhone(host.authorities.person())
    const announcement = await phone.open(begun.govMobileLaunchLink)
    expect(await phone.documents(announcement)).to.equal(JSON.stringify(DATA))
    const sent = await text(sending)
    expect(sent).to.match(/^ +\{/)
    expect(JSON.parse(sent)).to.include({ signURL: begun.signURL })
    await phone.answer(announcement, JSON.stringify(DATA), { change })
    const result = await text(waiting)
    expect(result).to.match(/^ +\{/)
    expect(result.trimStart()).to.equal(returned.trim())
    // What need not be held is answered as ever.
    expect((await request(begun.signURL)).text).to.equal(returned.trim())
  })

  it('takes a download for a result, until its client has it or is gone', async () => {
    const ledger = host.registry.get(Ledger)
    const downloads = () => ledger.state().downloads.all
    const { waiting, answer } = await untilSigned()
    expect(downloads()).to.equal(0)
    // More than the kernel takes for a client that reads nothing.
    const change = (json: object) => ({ ...json, more: 'a'.repeat(16 * 2 ** 20) })
    await answer({ change })
    await until(async () => downloads() === 1)
    waiting.destroy()
    await until(async () => downloads() === 0)
  })

  it('sends no space any more when the result goes out, however slowly it is taken', async () => {
    const { waiting, answer } = await untilSigned()
    const more = 'a'.repeat(16 * 2 ** 20)
    await answer({ change: (json) => ({ ...json, more }) })
    await until(async () => host.registry.get(Ledger).state().downloads.all === 1)
    // Time for many spaces.
    for (let count = 0; count < 9; count += 1) await request(`${host.url}/api/version`)
    expect(JSON.parse(await text(waiting)).more === more).to.equal(true)
  })

  it('tells inside that 200 that the share of downloads is taken; the result can be fetched again', async () => {
    const stranger = { kind: 'anonymous', address: '127.0.0.1' } as const
    const { begun, waiting, answer } = await untilSigned()
    const others = Array.from({ length: 16 }, () => host.registry.get(Ledger).take('downloads', stranger, 1))
    await answer()
    expect(JSON.parse(await text(waiting))).to.deep.include({
      code: 'shareTaken',
      details: { resource: 'downloads', limit: 16, retryAfter: 5 },
    })
    for (const other of others) other.release()
    expect((await request(begun.signURL)).status).to.equal(200)
  })

  it('tells a refusal inside that 200, and one that comes at once by its status', async () => {
    const begun = await begin()
    const [first, waiting] = await Promise.all([hold(begun.dataURL, 'POST', DATA), hold(begun.signURL, 'GET')])
    const second = await hold(begun.dataURL, 'POST', DATA)
    expect(JSON.parse(await text(first))).to.include({ code: 'qrOtherEndpoint', message: 'Other endpoint connected' })
    await request(begun.dataURL, { method: 'DELETE' })
    for (const refused of [second, waiting])
      expect(JSON.parse(await text(refused)))
        .to.include({ code: 'qrInvalidState' })
        .and.to.have.property('requestID')
    expect((await request(begun.signURL)).status).to.equal(409)
    expect((await request(`${host.url}/api/govQr/AAAAAAAAAAAAAAAAAAAAAA`)).status).to.equal(404)
  })

  it('breaks off without an end of its answer when the host stops', async () => {
    const other = await startTestHost(openSqlite, { heldCalls: 'spaces' })
    const { signURL } = (await postJson<BegunRawProcedure>(`${other.url}/api/govQr`, { description: '' })).json
    const waiting = await hold(signURL, 'GET')
    const outcome = text(waiting).catch((error: Error) => error)
    await other.close()
    expect(await outcome).to.be.instanceOf(Error)
  })
})
