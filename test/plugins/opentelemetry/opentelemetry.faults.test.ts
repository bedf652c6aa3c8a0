import type { TracerConfig } from '@opentelemetry/sdk-trace-node'
import { givingWay, type Plugin, provideValue } from '@signed-registry/core'
import { StatusSource, TimestampSource } from '@signed-registry/core/signatures'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { openTelemetry } from '@signed-registry/opentelemetry'
import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { startTestHost } from '../../support/host.js'
import { tracedHosts } from '../../support/traced-hosts.js'

const fault = () => {
  throw new Error('The SDK is at fault')
}
const noProcessor = {
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
}
describe('traces by OpenTelemetry and an SDK that is at fault', () => {
  const traced = tracedHosts()
  const { start, register } = traced

  const faults: Record<string, Partial<TracerConfig>> = {
    'a sampler': { sampler: { shouldSample: fault, toString: () => 'faulty' } },
    'a processor when spans begin': { spanProcessors: [{ ...noProcessor, onStart: fault }] },
    'a processor when spans end': { spanProcessors: [{ ...noProcessor, onEnd: fault }] },
  }
  for (const [what, config] of Object.entries(faults)) {
    it(`keep nothing from being done, whatever ${what} throws`, async () => {
      traced.collect(config)
      const host = await start(openSqlite)
      host.registry.start()
      await register(host)
      await traced.sink.came(1)
    })
  }

  it('do not hold up the end of a host whose collector hangs', async () => {
    traced.collect({
      spanProcessors: [{ ...noProcessor, forceFlush: () => new Promise(() => undefined) }],
    })
    const host = await start(openSqlite)
    traced.hosts.pop()
    await host.close()
  })

  it('leave sources of time stamps and of statuses as they are', async () => {
    let closed = 0
    const close = () => {
      closed += 1
    }
    const bytes = async () => Uint8Array.of(1)
    const stamps: TimestampSource = {
      url: 'http://tsa.test/',
      digestOid: '1.2',
      policy: '1.3',
      timestamp: bytes,
      close,
    }
    const statuses: StatusSource = { urlFor: () => 'http://ocsp.test/', status: bytes, close }
    const own: Plugin = {
      name: 'own',
      provides: [provideValue(TimestampSource, stamps), provideValue(StatusSource, statuses)],
    }
    const plugins = [givingWay(devAuthorities({ authorities: traced.authorities })), own, openTelemetry({})]
    const host = await startTestHost(openSqlite, { authorities: traced.authorities, plugins })
    traced.hosts.push(host)
    const [watched, asked] = [host.registry.get(TimestampSource), host.registry.get(StatusSource)]
    const options = { signal: new AbortController().signal }
    expect(watched).to.include({ url: 'http://tsa.test/', digestOid: '1.2', policy: '1.3' })
    expect(await watched.timestamp(Uint8Array.of(0), options)).to.deep.equal(Uint8Array.of(1))
    expect(await asked.status('http://ocsp.test/', Uint8Array.of(0), options)).to.deep.equal(Uint8Array.of(1))
    for (const part of [watched, asked]) part.close?.()
    expect(closed).to.equal(2)
  })

  it('do not exist where the application has registered no SDK', async () => {
    traced.traces.close()
    const host = await start(openSqlite)
    host.registry.start()
    await register(host)
    await traced.sink.came(1)
    expect(traced.sink.got[0]?.headers).not.to.have.property('traceparent')
    expect(traced.traces.spans).to.deep.equal([])
  })
})
