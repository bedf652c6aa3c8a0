import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { AuthorityServer } from '../support/authority-server.js'
import { killHostProcesses, startHostProcess } from '../support/host-process.js'
import { request } from '../support/http.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What an OTLP collector is sent, as far as it is looked at. */
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: object }[] }
    readonly scopeSpans: readonly { readonly spans: readonly { readonly name: string; readonly traceId: string }[] }[]
  }[]
}

describe('plugins/opentelemetry/README.md', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'opentelemetry-'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  })
  after(() => {
    killHostProcesses()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has a configuration file with which a stock host sends its traces to a collector, at the latest when it ends', async () => {
    const [, source = ''] =
      /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'plugins/opentelemetry/README.md'), 'utf8')) ?? []
    const file = join(folder, 'registry.config.js')
    writeFileSync(file, source, { mode: 0o600 })
    const collector = await AuthorityServer.start((_request, response) =>
      response.setHeader('content-type', 'application/json').end('{}'),
    )
    try {
      const host = startHostProcess({
        DATA_DIR: join(folder, 'data'),
        REGISTRY_CONFIG: file,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.replace(/\/$/, ''),
      })
      expect((await request(`${await host.url}/api/version`)).status).to.equal(200)
      expect(await host.end('SIGTERM')).to.equal(0)
      const sent = collector.received
        .filter(({ url }) => url === '/v1/traces')
        .flatMap(({ body }): Sent['resourceSpans'] => JSON.parse(body.toString()).resourceSpans)
      expect(sent[0]?.resource.attributes).to.deep.include({ key: 'service.name', value: { stringValue: 'registry' } })
      const names = sent.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(({ name }) => name)))
      expect(names).to.include('GET /api/version')
    } finally {
      await collector.stop()
    }
  })
})
