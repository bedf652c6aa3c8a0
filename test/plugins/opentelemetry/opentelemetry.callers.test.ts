import { connect } from 'node:net'
import { SpanStatusCode } from '@opentelemetry/api'
import { Database } from '@signed-registry/core'
import { openTelemetry } from '@signed-registry/opentelemetry'
import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { request } from '../../support/http.js'
import { tracedHosts } from '../../support/traced-hosts.js'
import { traceOf } from '../../support/traces.js'

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`

describe('traces by OpenTelemetry and callers', () => {
  const traced = tracedHosts()
  const { start, register, ended } = traced

  it('say nothing of what is stored, nor of queries and secrets in addresses', async () => {
    const host = await start(openSqlite)
    const id = await register(host)
    await request(`${host.url}/api/${id}?secret=hidden`)
    await request(`${host.url}/api/egovQr/a-secret-procedure`)
    await ended(/^GET/, 2)
    const text = JSON.stringify(
      traced.traces.spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    )
    for (const secret of ['A secret title', 'hidden', 'a-secret-procedure', traced.signer.identity.iin]) {
      expect(text).not.to.include(secret)
    }
  })

  it('begin with a request of a stranger, whose trace is only linked', async () => {
    const host = await start(openSqlite)
    await register(host, { traceparent: TRACEPARENT, tracestate: 'other=1' })
    await ended('POST /api')
    const [root] = traced.traces.named('POST /api')
    expect(traceOf(root)).not.to.equal(CALLER.traceId)
    expect(root?.parentSpanContext).to.equal(undefined)
    expect(root?.links.map(({ context }) => context.traceId)).to.deep.equal([CALLER.traceId])
  })

  it('continue those of the addresses that are configured', async () => {
    const host = await start(openSqlite, { continueFrom: ['127.0.0.0/8'] })
    await register(host, { traceparent: TRACEPARENT, tracestate: 'other=1' })
    await ended('POST /api')
    const [root] = traced.traces.named('POST /api')
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
      const [root] = traced.traces.named('POST /api')
      expect(traceOf(root)).not.to.equal(CALLER.traceId)
      expect(root?.links).to.deep.equal([])
    })
  }

  it('continue a traceparent of a later version', async () => {
    const host = await start(openSqlite, { continueFrom: ['127.0.0.1'] })
    await register(host, { traceparent: `01${TRACEPARENT.slice(2)}-more` })
    await ended('POST /api')
    expect(traceOf(traced.traces.named('POST /api')[0])).to.equal(CALLER.traceId)
  })

  it('tell a refusal by its code, and callers who went away; and leave probes out', async () => {
    const host = await start(openSqlite)
    expect((await request(`${host.url}/healthz`)).status).to.equal(200)
    expect((await request(`${host.url}/api/AAAAAAAAAAAAAAAA`)).status).to.equal(404)
    await ended('GET /api/:id')
    expect(traced.traces.spans.map(({ name }) => name).filter((name) => !name.startsWith('SELECT'))).to.deep.equal([
      'GET /api/:id',
    ])
    const [refused] = traced.traces.named('GET /api/:id')
    expect(refused?.attributes).to.include({ 'http.response.status_code': 404, 'error.type': 'documentNotFound' })
    expect(refused?.status.code).to.equal(0)

    const socket = connect(Number(new URL(host.url).port), '127.0.0.1')
    socket.write(
      'POST /api HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
      () => socket.destroy(),
    )
    await ended('POST /api')
    expect(traced.traces.named('POST /api')[0]?.attributes).to.include({ 'error.type': 'aborted' })
  })

  it('tell what failed, also where every error is answered 200', async () => {
    const host = await start(openSqlite, {}, { errorsStatus: 'always-200' })
    await host.registry.get(Database).query.schema.dropTable('registry_documents')
    expect((await request(`${host.url}/api/AAAAAAAAAAAAAAAA`)).status).to.equal(200)
    await ended('GET /api/:id')
    const [failed] = traced.traces.named('GET /api/:id')
    expect(failed?.attributes).to.include({ 'http.response.status_code': 200, 'error.type': 'unexpected' })
    expect(failed?.status.code).to.equal(SpanStatusCode.ERROR)
  })

  it('need addresses and networks for those that are continued', () => {
    expect(() => openTelemetry({ continueFrom: ['gateway'] })).to.throw(TypeError, 'is no address and no network')
  })
})
