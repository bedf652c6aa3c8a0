import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SpanKind, trace } from '@opentelemetry/api'
import { Database, DeliveryChannel, EventSubscriber, provideValue } from '@signed-registry/core'
import { SignatureVerifier } from '@signed-registry/core/signatures'
import { registryListener } from '@signed-registry/host'
import { expect } from 'chai'
import { forEachDatabase, forServer, openSqlite } from '../../support/databases.js'
import { request } from '../../support/http.js'
import { ORGANIZATION, tracedHosts } from '../../support/traced-hosts.js'
import { traceOf } from '../../support/traces.js'
import { trustingApi } from '../../support/trusting-api.js'

describe('traces by OpenTelemetry', () => {
  const traced = tracedHosts()
  const { start, register, ended, signature } = traced

  forEachDatabase((open) => {
    it('follow a registration through verification, authorities and SQL to its webhook', async () => {
      const host = await start(open)
      host.registry.start()
      await register(host)
      await traced.sink.came(1)
      await ended('deliver webhook')
      await ended('POST /api')

      const [root] = traced.traces.named('POST /api')
      expect(root?.attributes).to.deep.equal({
        'http.request.method': 'POST',
        'url.path': '/api',
        'http.route': '/api',
        'registry.operation': 'registerDocument',
        'http.response.status_code': 200,
      })
      const [kept] = traced.traces.named('transaction').filter((span) => traceOf(span) === traceOf(root))
      expect(kept?.parentSpanContext?.spanId).to.equal(root?.spanContext().spanId)
      const [verified] = traced.traces.named('verify signature')
      expect(verified?.parentSpanContext?.spanId).to.equal(root?.spanContext().spanId)
      for (const name of ['TSP request', 'OCSP request']) {
        const [asked] = traced.traces.named(name)
        expect(asked?.parentSpanContext?.spanId, name).to.equal(verified?.spanContext().spanId)
        expect(asked?.attributes['url.full'], name).to.match(/^https?:/)
      }
      const [stored] = traced.traces.named('INSERT registry_documents')
      expect(stored?.parentSpanContext?.spanId).to.equal(kept?.spanContext().spanId)
      const [delivered] = traced.traces.named('deliver webhook')
      expect(traceOf(delivered)).to.equal(traceOf(root))
      expect(delivered?.attributes).to.include({
        'registry.delivery.outcome': 'delivered',
        'registry.delivery.status': 200,
      })
      const { headers } = traced.sink.got[0] ?? {}
      expect(headers?.traceparent).to.equal(`00-${traceOf(root)}-${delivered?.spanContext().spanId}-01`)
      expect(headers?.tracestate).to.equal(undefined)
    })

    it('keep registrations apart that are stored as one group', async () => {
      const host = await start(open)
      host.registry.start()
      const ids = await Promise.all(Array.from({ length: 12 }, () => register(host)))
      await traced.sink.came(ids.length)
      await ended('POST /api', ids.length)
      const roots = new Set(traced.traces.named('POST /api').map(traceOf))
      const told = traced.sink.got.map(({ headers }) => String(headers.traceparent).split('-')[1])
      expect(new Set(told)).to.deep.equal(roots)
      expect(roots.size).to.equal(ids.length)
    })

    it('have the statements of a group in the trace of one of its own, however many groups came before', async () => {
      const host = await start(open)
      const waves = Array.from({ length: 4 }, async () => {
        for (let n = 0; n < 6; n += 1) await register(host)
      })
      await Promise.all(waves)
      await ended('POST /api', 24)
      const ends = new Map(traced.traces.named('POST /api').map((span) => [traceOf(span), span.endTime]))
      const late = traced.traces.named('INSERT registry_documents').filter((span) => {
        const [seconds, nanoseconds] = ends.get(traceOf(span)) ?? [0, 0]
        return span.startTime[0] > seconds || (span.startTime[0] === seconds && span.startTime[1] > nanoseconds)
      })
      expect(late.map(({ name }) => name)).to.deep.equal([])
    })

    it('name the table of every kind of statement', async () => {
      const host = await start(open)
      const id = await register(host)
      const body = Buffer.from(`Contract ${traced.made}`)
      traced.traces.forget()
      const headers = { 'content-type': 'application/octet-stream' }
      expect((await request(`${host.url}/api/${id}/data`, { method: 'POST', headers, body })).status).to.equal(200)
      await ended('POST /api/:id/data')
      const statements = traced.traces.spans.filter(({ attributes }) => 'db.query.text' in attributes)
      expect(statements.map(({ name }) => name)).to.include('UPDATE registry_documents')
      expect(statements.filter(({ attributes }) => attributes['db.collection.name'] === undefined)).to.deep.equal([])
    })

    it('see the statements that are sent past Knex', async () => {
      const host = await start(open)
      const id = await register(host)
      traced.traces.forget()
      expect((await request(`${host.url}/api/${id}`)).status).to.equal(200)
      await ended('GET /api/:id')
      const [root] = traced.traces.named('GET /api/:id')
      const [read] = traced.traces.named('SELECT registry_documents')
      expect(traceOf(read)).to.equal(traceOf(root))
      expect(read?.attributes['db.query.text'])
        .to.match(/^select id, /)
        .and.not.include(id)
    })
  })

  forServer((open) => {
    it('are one across two hosts: what one registers, the other delivers', async () => {
      const database = await open()
      const first = await start(async () => database)
      const second = await start(async () => database)
      second.registry.start()
      await register(first)
      await traced.sink.came(1)
      await ended('deliver webhook')
      await ended('POST /api')
      expect(traceOf(traced.traces.named('deliver webhook')[0])).to.equal(traceOf(traced.traces.named('POST /api')[0]))
    })
  })

  it('have no part of work that belongs to no request', async () => {
    const host = await start(openSqlite)
    const { registry } = host
    const read = await registry.get(SignatureVerifier).read({ signature: signature() })
    await registry.get(SignatureVerifier).prove(read)
    await registry.get(Database).transaction(() => registry.get(Database).query('registry_documents').select('id'))
    expect(traced.traces.spans).to.deep.equal([])
  })

  it('continue in deliveries of no event, and end with an attempt that is given up', async () => {
    const slow: DeliveryChannel = {
      ...{ name: 'slow', timeoutMs: 50, retriesMs: [], atOnce: 1, atOncePerTarget: 1 },
      deliver: () => new Promise(() => undefined),
    }
    const subscriber: EventSubscriber = {
      concerns: new Set(['documentRegistered']),
      deliveriesFor: async () => [{ channel: 'slow', target: 'one', owner: ORGANIZATION, payload: {} }],
    }
    const more = [provideValue(DeliveryChannel, slow), provideValue(EventSubscriber, subscriber)]
    const host = await start(openSqlite, {}, {}, more)
    host.registry.start()
    await register(host)
    await ended('deliver slow')
    await ended('POST /api')
    const [delivered] = traced.traces.named('deliver slow')
    expect(traceOf(delivered)).to.equal(traceOf(traced.traces.named('POST /api')[0]))
    expect(delivered?.attributes).to.include({ 'error.type': 'timeout' })
  })

  it('belong to the span of an application that embeds the registry', async () => {
    const host = await start(openSqlite)
    const listener = await registryListener({ registry: host.registry, sessionSecrets: trustingApi.sessionSecrets })
    const application = trace.getTracer('application')
    const server = createServer((asked, answer) =>
      application.startActiveSpan('application', (span) => {
        answer.once('close', () => span.end())
        listener(asked, answer)
      }),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    try {
      const { port } = server.address() as AddressInfo
      expect((await request(`http://127.0.0.1:${port}/api/version`)).status).to.equal(200)
      await ended('application')
      await ended('GET /api/version')
      const [inner] = traced.traces.named('GET /api/version')
      expect(traceOf(inner)).to.equal(traceOf(traced.traces.named('application')[0]))
      expect(inner?.kind).to.equal(SpanKind.INTERNAL)
    } finally {
      server.close()
      await listener.close()
    }
  })

  it('are named in the log of requests', async () => {
    const lines: string[] = []
    const host = await start(
      openSqlite,
      {},
      { logLevel: 'info', logStream: { write: (line) => void lines.push(line) } },
    )
    await register(host)
    await ended('POST /api')
    const logged = lines.map((line) => JSON.parse(line)).find(({ path }) => path === '/api')
    expect(logged.traceId).to.equal(traceOf(traced.traces.named('POST /api')[0]))
  })
})
