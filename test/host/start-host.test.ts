import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { ScheduledTask } from '@signed-registry/core'
import { DevAuthorities, devAuthorities, pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { ContainerModule } from 'inversify'
import { readConfig } from '../../host/dist/config.js'
import { type Host, startHost } from '../../host/dist/start-host.js'
import { postJson, request } from '../support/http.js'
import { AuthorityServer } from '../support/pki/authority-server.js'
import { SystemClient } from '../support/systems.js'

describe('startHost', () => {
  let folder: string
  let runs = 0
  let host: Host | undefined
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-start-'))
  })
  afterEach(async () => {
    await host?.close()
    host = undefined
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const configured = (env: Record<string, string> = {}) =>
    readConfig({ PORT: '0', MTLS_PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: join(folder, String(++runs)), ...env })
  const written = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  it('serves TLS when it is given a certificate and its key', async () => {
    const system = DevAuthorities.create().system()
    const config = configured({
      TLS_CERT: written('cert.pem', system.certificatePem),
      TLS_KEY: written('key.pem', system.keyPem),
    })
    host = await startHost({ config })
    expect(host.url).to.match(/^https:/)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      httpsRequest(`${host?.url}/readyz`, { rejectUnauthorized: false, agent: false }, resolve)
        .on('error', reject)
        .end()
    })
    expect(await json(answer)).to.include({ status: 'ready' })
  })

  it('runs the tasks of plugins while it listens', async () => {
    const ran = new Promise<void>((resolve) => {
      const task: ScheduledTask = { name: 'test', everyMs: 1, run: async () => resolve() }
      const module = new ContainerModule(({ bind }) => void bind(ScheduledTask).toConstantValue(task))
      starting = startHost({ config: configured(), plugins: [devAuthorities({}), { name: 'task', module }] })
    })
    host = await starting
    await ran
  })
  let starting: Promise<Host> | undefined

  it('refuses a certificate or a key that it cannot use, and says which variables are wrong', async () => {
    const [one, other] = [DevAuthorities.create().system(), DevAuthorities.create().system()]
    const pairs = [
      ['no PEM', one.keyPem],
      [one.certificatePem, other.keyPem],
    ] as const
    for (const [cert, key] of pairs) {
      const config = configured({ TLS_CERT: written('bad-cert.pem', cert), TLS_KEY: written('bad-key.pem', key) })
      expect(await startHost({ config }).catch(String)).to.include('TLS_CERT, TLS_KEY')
    }
  })

  it('keeps its files from others on the machine', async () => {
    const config = configured()
    host = await startHost({ config })
    expect(statSync(config.dataDir).mode & 0o777).to.equal(0o700)
  })

  it('says that the database cannot be used', async () => {
    const config = configured({ DATABASE_URL: `sqlite:${written('text.sqlite', 'no database'.repeat(100))}` })
    expect(await startHost({ config }).catch(String)).to.include('The database cannot be used')
  })

  it('asks the configured authorities; while one is down it answers 503 and when to try again', async () => {
    const server = await AuthorityServer.start((ocspUrl) => DevAuthorities.create({ ocspUrl }))
    const { authorities } = server
    const certificates = [...authorities.anchors, ...authorities.intermediates]
    const anchors = written('anchors.pem', certificates.map((der) => pem('CERTIFICATE', der)).join(''))
    const config = configured({ TRUST_ANCHORS: anchors, TSP_URL: server.tspUrl, OCSP_URL: server.ocspUrl })
    host = await startHost({ config })
    expect(host.forDevelopment).to.equal(false)

    const signature = authorities.person().signCms(Buffer.from('a')).toString('base64')
    const send = () => postJson(`${host?.url}/api`, { signature })
    server.faults.tsp = 'down'
    const first = await send()
    expect([first.status, first.json.message]).to.deep.equal([503, 'TSP server problem'])
    expect(first.headers.get('retry-after')).to.match(/^\d+$/)
    server.faults.tsp = undefined
    server.faults.ocsp = 'rubbish'
    const second = await send()
    expect([second.status, second.json.message]).to.deep.equal([503, 'OCSP server problem'])
    server.faults.ocsp = undefined
    expect((await send()).status).to.equal(200)
    const stats = await request<{ protocol: string; status: string }[]>(`${host.url}/api/externalServicesStats`)
    expect(stats.json.map(({ protocol, status }) => [protocol, status])).to.have.deep.members([
      ['tsp', 'yellow'],
      ['ocsp', 'yellow'],
    ])
    await server.close()
  })

  it('refuses development authorities together with trust anchors', async () => {
    const authorities = DevAuthorities.create()
    const [anchor] = authorities.anchors
    const config = configured({
      TRUST_ANCHORS: written('anchor.pem', anchor ? pem('CERTIFICATE', anchor) : ''),
      TSP_URL: 'http://tsp.invalid',
    })
    const refused = await startHost({ config, plugins: [devAuthorities({ authorities })] }).catch(String)
    expect(refused).to.include('Development authorities are refused together with TRUST_ANCHORS')
  })

  it('refuses to start without the ports that plugins must provide, and names them', async () => {
    const refused = await startHost({ config: configured(), plugins: [] }).catch(String)
    expect(refused)
      .to.match(/TrustStore/)
      .and.match(/TimestampSource/)
      .and.match(/StatusSource/)
  })

  it('serves people and information systems by the same application, on two ports or on one', async () => {
    const authorities = DevAuthorities.create()
    host = await startHost({ config: configured(), plugins: [devAuthorities({ authorities })] })
    const port = Number(new URL(host.systemsUrl ?? '').port)
    const system = new SystemClient(port)
    const { json: version } = await request(`${host.url}/api/version`)
    expect((await system.ask('GET', '/version')).json).to.deep.equal(version)
    await host.close()
    system.close()
    const late = new SystemClient(port)
    expect(await late.ask('GET', '/version').catch(({ code }) => code)).to.equal('ECONNREFUSED')
    late.close()
    host = await startHost({ config: configured({ MTLS_PORT: 'off' }), plugins: [devAuthorities({ authorities })] })
    expect(host.systemsUrl).to.equal(undefined)
  })

  it('answers what has begun before it closes', async () => {
    const authorities = DevAuthorities.create()
    host = await startHost({ config: configured(), plugins: [devAuthorities({ authorities })] })
    const signature = authorities.person().signCms(Buffer.from('original')).toString('base64')
    const { documentId } = (await postJson(`${host.url}/api`, { signature })).json
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      const upload = httpRequest(`${host?.url}/api/${documentId}/data`, {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/octet-stream', 'content-length': 8 },
      })
      upload.on('response', resolve).on('error', reject)
      upload.write('orig')
      const begun = () => {
        const closed = host?.close()
        upload.end('inal')
        return closed
      }
      host?.app.server.once('request', begun)
    })
    const answer = await answered
    expect([answer.statusCode, await json(answer)]).to.deep.include.members([200])
  })
})
