import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { TracerConfig } from '@opentelemetry/sdk-trace-node'
import {
  type Binding,
  Database,
  DeliveryChannel,
  EventSubscriber,
  type Plugin,
  provideValue,
  WebhookAddresses,
  WebhookPorts,
} from '@signed-registry/core'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { SignatureVerifier } from '@signed-registry/core/signatures'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { registryListener } from '@signed-registry/host'
import { type OpenTelemetryOptions, openTelemetry } from '@signed-registry/opentelemetry'
import { webhookHttp } from '@signed-registry/webhook-http'
import { expect } from 'chai'
import { headCaller } from '../../support/core-registry.js'
import { forEachDatabase, forServer, type OpenDatabase, openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost, type TestHostOptions } from '../../support/host.js'
import { request } from '../../support/http.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { CollectedTraces, traceOf } from '../../support/traces.js'
import { trustingApi } from '../../support/trusting-api.js'
import { until } from '../../support/until.js'
import { WebhookSink } from '../../support/webhook-sink.js'

const BIN = 'BIN200140000019'
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const fault = () => {
  throw new Error('The SDK is at fault')
}
const noProcessor = {
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
}
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`

describe('traces by OpenTelemetry', () => {
  const authorities = presentAuthorities()
  const signer = authorities.named('head-1')
  const hosts: TestHost[] = []
  let traces: CollectedTraces
  let sink: WebhookSink
  let made = 0

  beforeEach(async () => {
    traces = new CollectedTraces()
    sink = await WebhookSink.start()
  })
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.close()
    await sink.close()
    traces.close()
  })

  const start = async (
    open: OpenDatabase,
    options: OpenTelemetryOptions = {},
    more: TestHostOptions = {},
    beside: readonly Binding[] = [],
  ) => {
    const local: Plugin = {
      name: 'local',
      provides: [provideValue(WebhookAddresses, 'any'), provideValue(WebhookPorts, 'any'), ...beside],
    }
    const plugins = [devAuthorities({ authorities }), webhookHttp({}), local, openTelemetry(options)]
    const host = await startTestHost(open, { authorities, plugins, ...more })
    hosts.push(host)
    const head = headCaller({ bin: BIN })
    await host.registry.get(SaveOrganizationSettings).execute(head, { request: { webhooks: { urls: [sink.url] } } })
    traces.forget()
    return host
  }
  // Without its evidence, for which the authorities are asked.
  const signature = () =>
    signer.signCms(Buffer.from(`Contract ${++made}`), { timeStamp: false, ocsp: false }).toString('base64')
  const register = async ({ url }: TestHost, headers: Record<string, string> = {}) => {
    const body = JSON.stringify({ title: 'A secret title', signature: signature() })
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
    const { status, json } = await request<{ documentId: string }>(`${url}/api`, init)
    expect(status).to.equal(200)
    return json.documentId
  }
  /** Spans end with the last byte of an answer, which its reader may have first. */
  const ended = (name: string | RegExp, count = 1) => until(async () => traces.named(name).length >= count)

  forEachDatabase((open) => {
    it('follow a registration through verification, authorities and SQL to its webhook', async () => {
      const host = await start(open)
      host.registry.start()
      await register(host)
      await sink.came(1)
      await ended('deliver webhook')
      await ended('POST /api')

      const [root] = traces.named('POST /api')
      expect(root?.attributes).to.deep.equal({
        'http.request.method': 'POST',
        'url.path': '/api',
        'http.route': '/api',
        'registry.operation': 'registerDocument',
        'http.response.status_code': 200,
      })
      const [kept] = traces.named('transaction').filter((span) => traceOf(span) === traceOf(root))
      expect(kept?.parentSpanContext?.spanId).to.equal(root?.spanContext().spanId)
      const [verified] = traces.named('verify signature')
      expect(verified?.parentSpanContext?.spanId).to.equal(root?.spanContext().spanId)
      for (const name of ['TSP request', 'OCSP request']) {
        const [asked] = traces.named(name)
        expect(asked?.parentSpanContext?.spanId, name).to.equal(verified?.spanContext().spanId)
        expect(asked?.attributes['url.full'], name).to.match(/^https?:/)
      }
      const [stored] = traces.named('INSERT registry_documents')
      expect(stored?.parentSpanContext?.spanId).to.equal(kept?.spanContext().spanId)
      const [delivered] = traces.named('deliver webhook')
      expect(traceOf(delivered)).to.equal(traceOf(root))
      expect(delivered?.attributes).to.include({
        'registry.delivery.outcome': 'delivered',
        'registry.delivery.status': 200,
      })
      const { headers } = sink.got[0] ?? {}
      expect(headers?.traceparent).to.equal(`00-${traceOf(root)}-${delivered?.spanContext().spanId}-01`)
      expect(headers?.tracestate).to.equal(undefined)
    })

    it('keep registrations apart that are stored as one group', async () => {
      const host = await start(open)
      host.registry.start()
      const ids = await Promise.all(Array.from({ length: 12 }, () => register(host)))
      await sink.came(ids.length)
      await ended('POST /api', ids.length)
      const roots = new Set(traces.named('POST /api').map(traceOf))
      const told = sink.got.map(({ headers }) => String(headers.traceparent).split('-')[1])
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
      const ends = new Map(traces.named('POST /api').map((span) => [traceOf(span), span.endTime]))
      const late = traces.named('INSERT registry_documents').filter((span) => {
        const [seconds, nanoseconds] = ends.get(traceOf(span)) ?? [0, 0]
        return span.startTime[0] > seconds || (span.startTime[0] === seconds && span.startTime[1] > nanoseconds)
      })
      expect(late.map(({ name }) => name)).to.deep.equal([])
    })

    it('name the table of every kind of statement', async () => {
      const host = await start(open)
      const id = await register(host)
      const body = Buffer.from(`Contract ${made}`)
      traces.forget()
      const headers = { 'content-type': 'application/octet-stream' }
      expect((await request(`${host.url}/api/${id}/data`, { method: 'POST', headers, body })).status).to.equal(200)
      await ended('POST /api/:id/data')
      const statements = traces.spans.filter(({ attributes }) => 'db.query.text' in attributes)
      expect(statements.map(({ name }) => name)).to.include('UPDATE registry_documents')
      expect(statements.filter(({ attributes }) => attributes['db.collection.name'] === undefined)).to.deep.equal([])
    })

    it('see the statements that are sent past Knex', async () => {
      const host = await start(open)
      const id = await register(host)
      traces.forget()
      expect((await request(`${host.url}/api/${id}`)).status).to.equal(200)
      await ended('GET /api/:id')
      const [root] = traces.named('GET /api/:id')
      const [read] = traces.named('SELECT registry_documents')
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
      await sink.came(1)
      await ended('deliver webhook')
      await ended('POST /api')
      expect(traceOf(traces.named('deliver webhook')[0])).to.equal(traceOf(traces.named('POST /api')[0]))
    })
  })

  it('say nothing of what is stored, nor of queries and secrets in addresses', async () => {
    const host = await start(openSqlite)
    const id = await register(host)
    await request(`${host.url}/api/${id}?secret=hidden`)
    await request(`${host.url}/api/egovQr/a-secret-procedure`)
    await ended(/^GET/, 2)
    const text = JSON.stringify(
      traces.spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    )
    for (const secret of ['A secret title', 'hidden', 'a-secret-procedure', signer.identity.iin]) {
      expect(text).not.to.include(secret)
    }
  })

  it('begin with a request of a stranger, whose trace is only linked', async () => {
    const host = await start(openSqlite)
    await register(host, { traceparent: TRACEPARENT, tracestate: 'other=1' })
    await ended('POST /api')
    const [root] = traces.named('POST /api')
    expect(traceOf(root)).not.to.equal(CALLER.traceId)
    expect(root?.parentSpanContext).to.equal(undefined)
    expect(root?.links.map(({ context }) => context.traceId)).to.deep.equal([CALLER.traceId])
  })

  it('continue those of the addresses that are configured', async () => {
    const host = await start(openSqlite, { continueFrom: ['127.0.0.0/8'] })
    await register(host, { traceparent: TRACEPARENT, tracestate: 'other=1' })
    await ended('POST /api')
    const [root] = traces.named('POST /api')
    expect(traceOf(root)).to.equal(CALLER.traceId)
    expect(root?.parentSpanContext?.spanId).to.equal(CALLER.spanId)
    expect(root?.spanContext().traceState?.get('other')).to.equal('1')
  })

  for (const [what, traceparent] of Object.entries({
    'without a trace': `00-${'0'.repeat(32)}-${CALLER.spanId}-01`,
    'without a span': `00-${CALLER.traceId}-${'0'.repeat(16)}-01`,
    'in capitals': TRACEPARENT.toUpperCase(),
    'of version ff': TRACEPARENT.replace(/^00/, 'ff'),
    'that says more than version 00 may': `${TRACEPARENT}-more`,
    'given twice': `${TRACEPARENT}, ${TRACEPARENT}`,
    'that is no text of the kind': 'x'.repeat(4000),
  })) {
    it(`ignore a traceparent ${what}`, async () => {
      const host = await start(openSqlite, { continueFrom: ['127.0.0.1'] })
      await register(host, { traceparent })
      await ended('POST /api')
      const [root] = traces.named('POST /api')
      expect(traceOf(root)).not.to.equal(CALLER.traceId)
      expect(root?.links).to.deep.equal([])
    })
  }

  it('continue a traceparent of a later version', async () => {
    const host = await start(openSqlite, { continueFrom: ['127.0.0.1'] })
    await register(host, { traceparent: `01${TRACEPARENT.slice(2)}-more` })
    await ended('POST /api')
    expect(traceOf(traces.named('POST /api')[0])).to.equal(CALLER.traceId)
  })

  it('tell a refusal by its code, and callers who went away; and leave probes out', async () => {
    const host = await start(openSqlite)
    expect((await request(`${host.url}/healthz`)).status).to.equal(200)
    expect((await request(`${host.url}/api/AAAAAAAAAAAAAAAA`)).status).to.equal(404)
    await ended('GET /api/:id')
    expect(traces.spans.map(({ name }) => name).filter((name) => !name.startsWith('SELECT'))).to.deep.equal([
      'GET /api/:id',
    ])
    const [refused] = traces.named('GET /api/:id')
    expect(refused?.attributes).to.include({ 'http.response.status_code': 404, 'error.type': 'documentNotFound' })
    expect(refused?.status.code).to.equal(0)

    const socket = connect(Number(new URL(host.url).port), '127.0.0.1')
    socket.write(
      'POST /api HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
      () => socket.destroy(),
    )
    await ended('POST /api')
    expect(traces.named('POST /api')[0]?.attributes).to.include({ 'error.type': 'aborted' })
  })

  it('tell what failed, also where every error is answered 200', async () => {
    const host = await start(openSqlite, {}, { errorsStatus: 'always-200' })
    await host.registry.get(Database).query.schema.dropTable('registry_documents')
    expect((await request(`${host.url}/api/AAAAAAAAAAAAAAAA`)).status).to.equal(200)
    await ended('GET /api/:id')
    const [failed] = traces.named('GET /api/:id')
    expect(failed?.attributes).to.include({ 'http.response.status_code': 200, 'error.type': 'unexpected' })
    expect(failed?.status.code).to.equal(SpanStatusCode.ERROR)
  })

  it('have no part of work that belongs to no request', async () => {
    const host = await start(openSqlite)
    const { registry } = host
    const read = await registry.get(SignatureVerifier).read({ signature: signature() })
    await registry.get(SignatureVerifier).prove(read)
    await registry.get(Database).transaction(() => registry.get(Database).query('registry_documents').select('id'))
    expect(traces.spans).to.deep.equal([])
  })

  it('continue in deliveries of no event, and end with an attempt that is given up', async () => {
    const slow: DeliveryChannel = {
      ...{ name: 'slow', timeoutMs: 50, retriesMs: [], atOnce: 1, atOncePerTarget: 1 },
      deliver: () => new Promise(() => undefined),
    }
    const subscriber: EventSubscriber = {
      concerns: new Set(['documentRegistered']),
      deliveriesFor: async () => [{ channel: 'slow', target: 'one', owner: BIN, payload: {} }],
    }
    const more = [provideValue(DeliveryChannel, slow), provideValue(EventSubscriber, subscriber)]
    const host = await start(openSqlite, {}, {}, more)
    host.registry.start()
    await register(host)
    await ended('deliver slow')
    await ended('POST /api')
    const [delivered] = traces.named('deliver slow')
    expect(traceOf(delivered)).to.equal(traceOf(traces.named('POST /api')[0]))
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
      const [inner] = traces.named('GET /api/version')
      expect(traceOf(inner)).to.equal(traceOf(traces.named('application')[0]))
      expect(inner?.kind).to.equal(SpanKind.INTERNAL)
    } finally {
      server.close()
      await listener.close()
    }
  })

  const faults: Record<string, Partial<TracerConfig>> = {
    'a sampler': { sampler: { shouldSample: fault, toString: () => 'faulty' } },
    'a processor when spans begin': { spanProcessors: [{ ...noProcessor, onStart: fault }] },
    'a processor when spans end': { spanProcessors: [{ ...noProcessor, onEnd: fault }] },
  }
  for (const [what, config] of Object.entries(faults)) {
    it(`keep nothing from being done, whatever ${what} throws`, async () => {
      traces.close()
      traces = new CollectedTraces(config)
      const host = await start(openSqlite)
      host.registry.start()
      await register(host)
      await sink.came(1)
    })
  }

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
    expect(logged.traceId).to.equal(traceOf(traces.named('POST /api')[0]))
  })

  it('do not exist where the application has registered no SDK', async () => {
    traces.close()
    const host = await start(openSqlite)
    host.registry.start()
    await register(host)
    await sink.came(1)
    expect(sink.got[0]?.headers).not.to.have.property('traceparent')
    expect(traces.spans).to.deep.equal([])
  })

  it('need addresses and networks for those that are continued', () => {
    expect(() => openTelemetry({ continueFrom: ['gateway'] })).to.throw(TypeError, 'is no address and no network')
  })
})
