import { expect } from 'chai'
import { Counter, Gauge, Registry } from 'prom-client'
import { serveMetrics } from '#host/monitoring/metrics.js'
import { buildServer } from '#host/server.js'
import { Relay } from '#host/workers/relay.js'
import { relayed } from '../../support/relayed-siblings.js'

describe('metrics', () => {
  it('count requests by method, route pattern and status, and tell about the process', async () => {
    const app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic' })
    serveMetrics(app, { metrics: new Registry(), kept: new Registry() })
    app.get('/things/:id', async () => ({}))
    for (const url of ['/things/1', '/things/2', '/elsewhere']) await app.inject(url)
    const { body, headers } = await app.inject('/metrics')
    expect(headers['content-type']).to.match(/^text\/plain; version=/)
    expect(body).to.include(
      'registry_http_request_duration_seconds_count{method="GET",route="/things/:id",status="200"} 2',
    )
    expect(body).to.include('registry_http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 1')
    expect(body).to.include('process_resident_memory_bytes')
    expect(body).to.not.include('things/1')
    await app.close()
  })

  it('tell of the process, and that the database is away, where it cannot be read', async () => {
    const app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic' })
    const kept = new Registry()
    let isAway = false
    new Gauge({
      name: 'things',
      help: 'Things',
      registers: [kept],
      collect() {
        if (isAway) throw new Error('There is no database')
        this.set(1)
      },
    })
    serveMetrics(app, { metrics: new Registry(), kept })
    const told = async () => (await app.inject('/metrics')).body
    expect(await told())
      .to.match(/^things 1$/m)
      .and.match(/^registry_database_up 1$/m)
    isAway = true
    expect(await told())
      .to.match(/^process_resident_memory_bytes \d/m)
      .and.match(/^registry_database_up 0$/m)
    await app.close()
  })

  it('of workers never fall where one does not answer: it counts with what it said last', async () => {
    const workers = relayed(new Relay(), 2)
    const apps = workers.map(({ siblings }) => {
      const app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic' })
      const metrics = new Registry()
      new Counter({ name: 'things_total', help: 'Things', registers: [metrics] }).inc(5)
      serveMetrics(app, { metrics, kept: new Registry() }, [], siblings)
      return app
    })
    const things = async () => /^things_total (\d+)$/m.exec((await apps[0]?.inject('/metrics'))?.body ?? '')?.[1]
    expect(await things()).to.equal('10')
    workers[1]?.siblings.on('metrics', () => new Promise(() => undefined))
    expect(await things()).to.equal('10')
    for (const app of apps) await app.close()
  })

  it('of workers tell how long the worker is held that is held longest', async () => {
    const [own, other] = relayed(new Relay(), 2)
    const app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic' })
    serveMetrics(app, { metrics: new Registry(), kept: new Registry() }, [], own?.siblings)
    const [name, aggregator] = ['nodejs_eventloop_lag_p99_seconds', 'average']
    const figures = [{ name, aggregator, help: 'Held', type: 'gauge', values: [{ value: 60, labels: {} }] }]
    other?.siblings.on('metrics', async () => ({ worker: 2, figures }))
    expect((await app.inject('/metrics')).body).to.match(/^nodejs_eventloop_lag_p99_seconds 60$/m)
    await app.close()
  })

  it('are served to this machine and to listed addresses, on direct connections only', async () => {
    for (const [addresses, remoteAddress, headers, status] of [
      [[], '127.0.0.1', {}, 200],
      [[], '127.8.8.8', {}, 200],
      [[], '::1', {}, 200],
      [[], '::ffff:127.0.0.1', {}, 200],
      [[], '10.0.0.9', {}, 404],
      [[], '::ffff:10.0.0.9', {}, 404],
      [[], '2001:db8::1', {}, 404],
      [[], '10.0.0.9', { 'x-forwarded-for': '127.0.0.1' }, 404],
      // A proxy on this machine that is not configured.
      [[], '127.0.0.1', { 'x-forwarded-for': '203.0.113.7' }, 404],
      [[], '127.0.0.1', { forwarded: 'for=127.0.0.1' }, 404],
      [[], '127.0.0.1', { via: '1.1 proxy' }, 404],
      [['10.0.0.0/24', 'fd00::/8'], '10.0.0.9', {}, 200],
      [['10.0.0.0/24', 'fd00::/8'], 'fd00::9', {}, 200],
      [['10.0.0.0/24', 'fd00::/8'], '127.0.0.1', {}, 200],
      [['10.0.0.0/24', 'fd00::/8'], '10.0.1.9', {}, 404],
      [['10.0.0.0/24'], '10.0.0.9', { 'x-forwarded-for': '10.0.0.9' }, 404],
    ] as const) {
      const app = buildServer({
        logLevel: 'silent',
        errorsStatus: 'semantic',
        trustedProxies: ['127.0.0.1', '10.0.0.9'],
      })
      serveMetrics(app, { metrics: new Registry(), kept: new Registry() }, addresses)
      for (const url of ['/metrics', '/metrics/', '/%6detrics?a']) {
        const { statusCode, body } = await app.inject({ url, remoteAddress, headers })
        expect(statusCode, `${remoteAddress} ${JSON.stringify(headers)} ${url}`).to.equal(status)
        expect(body.includes('process_'), url).to.equal(status === 200)
      }
      await app.close()
    }
  })
})
