import { mock } from 'node:test'
import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { logInOverHttp } from '../../support/login-over-http.js'

describe('the rate of requests outside the API', () => {
  let host: TestHost
  before(async () => {
    host = await startTestHost(openSqlite, { rates: { anonymous: 6, caller: 1000, holdMs: 0 } })
    const now = performance.now()
    mock.method(performance, 'now', () => now)
  })
  after(async () => {
    await host.close()
    mock.restoreAll()
  })

  /** Statuses of so many requests, and how often each came. */
  const statuses = async (url: string, count: number, headers: Record<string, string> = {}) => {
    const found: Record<number, number> = {}
    for (let i = 0; i < count; i += 1) {
      const { statusCode } = await host.app.inject({ url, headers })
      found[statusCode] = (found[statusCode] ?? 0) + 1
    }
    return found
  }

  it('counts requests that reach no route of the API, whatever their URL looks like, and no others', async () => {
    const cookie = await logInOverHttp(host.url, host.authorities.person())
    for (const url of ['/api/version', '/%61pi/version', '/api/version/'])
      expect(await statuses(url, 100, { cookie }), url).to.deep.equal({ 200: 100 })
    expect(await statuses('/%68ealthz', 100)).to.deep.equal({ 200: 60, 429: 40 })
    expect(await statuses('/apiary', 1)).to.deep.equal({ 429: 1 })
  })
})
