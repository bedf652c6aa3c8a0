import { expect } from 'chai'
import { serveHealth } from '../../../host/dist/operations/health.js'
import { buildServer } from '../../../host/dist/server.js'

describe('health', () => {
  let broken = false
  const app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic' })
  serveHealth(app, {
    database: async () => {
      if (broken) throw new Error('password=1')
      return 'ok'
    },
    trust: async () => 'ok',
  })
  after(() => app.close())

  it('is that the process answers', async () => {
    const answer = await app.inject('/healthz')
    expect([answer.statusCode, answer.json()]).to.deep.equal([200, { status: 'ok' }])
  })

  it('is readiness only while every check passes', async () => {
    const ready = await app.inject('/readyz')
    expect([ready.statusCode, ready.json()]).to.deep.equal([200, { status: 'ready', database: 'ok', trust: 'ok' }])
    broken = true
    const failed = await app.inject('/readyz')
    expect(failed.statusCode).to.equal(503)
    expect(failed.json()).to.deep.equal({ status: 'not ready', database: 'failed', trust: 'ok' })
    broken = false
    expect((await app.inject('/readyz')).statusCode).to.equal(200)
  })
})
