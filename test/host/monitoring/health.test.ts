import type { ReadinessReport } from '@signed-registry/core'

import { expect } from 'chai'
import { serveHealth } from '#host/monitoring/health.js'
import { buildServer } from '#host/server.js'

describe('health', () => {
  let report: ReadinessReport = { ready: true, checks: { database: 'ok', trust: 'stale' } }
  const app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic' })
  serveHealth(app, async () => report)
  after(() => app.close())

  it('is that the process answers', async () => {
    const answer = await app.inject('/healthz')
    expect([answer.statusCode, answer.json()]).to.deep.equal([200, { status: 'ok' }])
  })

  it('is readiness only while every check passes; which one does not stands in a failure as any other', async () => {
    const ready = await app.inject('/readyz')
    expect([ready.statusCode, ready.json()]).to.deep.equal([200, { status: 'ready', database: 'ok', trust: 'stale' }])
    report = { ready: false, checks: { database: 'failed', trust: 'ok' } }
    const failed = await app.inject('/readyz')
    expect([failed.statusCode, failed.headers['retry-after']]).to.deep.equal([503, '10'])
    expect(failed.json()).to.deep.equal({
      ...{ status: 'not ready', database: 'failed', trust: 'ok' },
      ...{ message: 'Service is not ready', requestID: failed.headers['x-request-id'], code: 'notReady' },
    })
  })

  it('has status 503 when a check fails, even if failures are answered with 200', async () => {
    const always = buildServer({ logLevel: 'silent', errorsStatus: 'always-200' })
    serveHealth(always, async () => ({ ready: false, checks: { database: 'failed' } }))
    expect((await always.inject('/readyz')).statusCode).to.equal(503)
    await always.close()
  })
})
