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

  it('is readiness only while every check passes', async () => {
    const ready = await app.inject('/readyz')
    expect([ready.statusCode, ready.json()]).to.deep.equal([200, { status: 'ready', database: 'ok', trust: 'stale' }])
    report = { ready: false, checks: { database: 'failed', trust: 'ok' } }
    const failed = await app.inject('/readyz')
    expect(failed.statusCode).to.equal(503)
    expect(failed.json()).to.deep.equal({ status: 'not ready', database: 'failed', trust: 'ok' })
  })
})
