import { expect } from 'chai'
import { Registry } from 'prom-client'
import { serveMetrics } from '#host/monitoring/metrics.js'
import { buildServer } from '#host/server.js'

describe('metrics', () => {
  it('count requests by method, route pattern and status, and tell about the process', async () => {
    const app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic' })
    serveMetrics(app, new Registry())
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
})
