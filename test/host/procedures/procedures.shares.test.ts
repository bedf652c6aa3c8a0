import http from 'node:http'
import { Database, Ledger } from '@signed-registry/core'
import type { BegunRawProcedure } from '@signed-registry/core/procedures'

import { DevPhone } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postJson, request } from '../../support/http.js'
import { until } from '../../support/until.js'

describe('the shares of held calls and raw bodies', () => {
  let host: TestHost
  before(async () => {
    const shares = { heldCalls: { stranger: 2 }, uploads: { stranger: 1 } }
    host = await startTestHost(openSqlite, { registry: { shares } })
  })
  after(() => host.close())

  const begin = async () =>
    (await postJson<BegunRawProcedure>(`${host.url}/api/govQr`, { description: 'Sign this', authType: 'None' })).json
  const heldCalls = async () => (await host.registry.get(Database).query('registry_held_calls')).length

  it('is a call of the address while it is held', async () => {
    const gone = new AbortController()
    const held = [await begin(), await begin()].map(({ signURL }) => fetch(signURL, { signal: gone.signal }))
    await until(async () => (await heldCalls()) === 2)
    const { signURL } = await begin()
    const { status, json } = await request(signURL)
    expect([status, json.code, json.details]).to.deep.equal([
      429,
      'shareTaken',
      { resource: 'heldCalls', limit: 2, retryAfter: 5 },
    ])
    gone.abort()
    await Promise.allSettled(held)
    await until(async () => (await heldCalls()) === 0)
    const next = new AbortController()
    const again = fetch(signURL, { signal: next.signal })
    await until(async () => (await heldCalls()) === 1)
    next.abort()
    await Promise.allSettled([again])
  })

  it('fails no login that cannot be read for now', async () => {
    const ledger = host.registry.get(Ledger)
    const stranger = { kind: 'anonymous', address: '127.0.0.1' } as const
    const { json, headers } = await postJson<{ loginId: string; govMobileLaunchLink: string }>(
      `${host.url}/api/auth/govQr`,
      {},
    )
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    const phone = new DevPhone(host.authorities.person())
    const announcement = await phone.open(json.govMobileLaunchLink)
    const given = await phone.documents(announcement)

    const upload = ledger.take('uploads', stranger, 1)
    expect((await phone.answer(announcement, given)).status).to.equal(429)
    upload.release()

    const memory = ledger.take('memory', stranger, Number.MAX_SAFE_INTEGER)
    const padded = { change: (same: object) => ({ ...same, more: 'a'.repeat(16 * 1024) }) }
    const answer = phone.answer(announcement, given, padded)
    await until(async () => ledger.state().memory.waiting === 1)
    memory.release()
    expect((await answer).status).to.equal(200)
    const state = await request(`${host.url}/api/auth/govQr/${json.loginId}`, { headers: { cookie } })
    expect(state.json.status).to.equal('done')
  })

  it('is an upload of the address while it is read', async () => {
    const stranger = { kind: 'anonymous', address: '127.0.0.1' } as const
    const isTaken = async () => {
      try {
        host.registry.get(Ledger).take('uploads', stranger, 1).release()
        return false
      } catch {
        return true
      }
    }
    /** A procedure whose data the app has: where it brings back what was signed. */
    const withApp = async () => {
      const { dataURL, govMobileLaunchLink } = await begin()
      const sent = fetch(dataURL, { method: 'POST', body: '{}' })
      const { uri } = (await new DevPhone(host.authorities.person()).open(govMobileLaunchLink)).document
      await (await fetch(uri)).text()
      expect((await sent).status).to.equal(200)
      return uri
    }
    const [first, second] = [await withApp(), await withApp()]
    const slow = http.request(first, { method: 'PUT', headers: { 'content-type': 'application/json' } })
    slow.on('error', () => undefined)
    slow.write('{')
    await until(isTaken)
    const put = () => fetch(second, { method: 'PUT', body: '{}' })
    const refused = await put()
    expect([refused.status, Object(await refused.json()).code]).to.deep.equal([429, 'shareTaken'])
    slow.destroy()
    await until(async () => !(await isTaken()))
    expect((await put()).status).to.equal(200)
  })
})
