import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { Database, Ledger, License, LoginCertificates, SignaturePolicy, WebhookSuccess } from '@signed-registry/core'

import { DevAuthorities, DevelopmentAuthorities, devAuthorities, pem } from '@signed-registry/dev-authorities'
import { etsiCatalogue } from '@signed-registry/verifier'
import { expect } from 'chai'
import { readConfig } from '#host/config/config.js'
import { stockDigests } from '#host/config/digests.js'
import { type Host, startHost } from '#host/start-host.js'
import { openMariaDb } from '../support/databases.js'
import { giveDevAuthorities } from '../support/dev-authorities-folder.js'
import { freePort } from '../support/free-port.js'
import { postBytes, postJson, request } from '../support/http.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { AuthorityServer } from '../support/pki/authority-server.js'
import { SystemClient } from '../support/systems.js'
import { until } from '../support/until.js'

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

  const configured = (env: Record<string, string> = {}) => {
    const data = join(folder, String(++runs))
    giveDevAuthorities(data)
    return readConfig({ PORT: '0', MTLS_PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: data, ...env })
  }
  const written = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  it('serves TLS when it is given a certificate and its key', async () => {
    const system = presentAuthorities().system()
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

  it('writes mails into its folder where no mail server is configured, with the original attached', async () => {
    const config = configured()
    host = await startHost({ config })
    const signer = DevAuthorities.create({ folder: join(config.dataDir, 'dev-authorities') }).person()
    const signature = signer.signCms(Buffer.from('contract'), { timeStamp: true, ocsp: true }).toString('base64')
    const request = { title: 'Contract.txt', signature, emailNotifications: { to: ['a@example.kz'], language: 'en' } }
    const { json: registered } = await postJson(`${host.url}/api`, request)
    const { json: fixed } = await postBytes(`${host.url}/api/${registered.documentId}/data`, Buffer.from('contract'))
    expect(fixed, JSON.stringify([registered, fixed])).to.deep.include({ emailNotifications: { attached: true } })
    const mails = () => readdirSync(config.dataDir).includes('mail') && readdirSync(join(config.dataDir, 'mail'))
    await until(async () => (mails() || []).some((name) => name.endsWith('.eml')))
    const [name = ''] = mails() || []
    const mail = readFileSync(join(config.dataDir, 'mail', name), 'utf8')
    expect(mail)
      .to.match(/^To: a@example.kz\r$/m)
      .and.match(/^Subject: Document signed: Contract.txt\r$/m)
    expect(mail).to.contain(Buffer.from('contract').toString('base64'))
    expect(mail).to.contain(`${host.url.replace(/:\d+$/, '')}:`)
  })

  it('follows the configuration', async () => {
    const choices = { LICENSE_OWNER: 'BIN123456789021', LOGIN_CERTIFICATES: 'authentication' }
    host = await startHost({
      config: configured({ ...choices, WEBHOOK_SUCCESS: '2xx', STATUS_BY_CRLS: 'on', ALGORITHMS: 'etsi' }),
    })
    const { registry } = host
    expect(registry.get(License).owner).to.equal('BIN123456789021')
    expect(registry.get(LoginCertificates)).to.equal('authentication')
    expect(registry.get(WebhookSuccess)).to.equal('2xx')
    const policy = registry.get(SignaturePolicy)
    expect(policy).to.include({ statusByCrls: true, signingCertificate: 'known' })
    expect(policy.algorithms.evaluations).to.deep.equal(etsiCatalogue.evaluations)
  })

  it('runs the tasks of plugins while it listens', async () => {
    const ran = new Promise<void>((resolve) => {
      class Tick {
        static readonly task = { name: 'tick', schedule: '* * * * * *' }
        run = async () => resolve()
      }
      starting = startHost({
        config: configured(),
        plugins: [devAuthorities({ authorities: presentAuthorities() }), { name: 'ticking', tasks: [Tick] }],
      })
    })
    host = await starting
    await ran
  })
  let starting: Promise<Host> | undefined

  it('knows the hash that the next signer needs, whatever their certificate', async () => {
    const authorities = presentAuthorities()
    host = await startHost({ config: configured(), plugins: [devAuthorities({ authorities })] })
    const original = Uint8Array.from(Buffer.from('contract'))
    const signed = (algorithm: 'rsa2048' | 'p256' | 'gost512') => ({
      signature: authorities.person({ algorithm }).signCms(original).toString('base64'),
    })
    const { json } = await postJson<{ documentId: string }>(`${host.url}/api`, signed('rsa2048'))
    const address = `${host.url}/api/${json.documentId}`
    const fixed = await postBytes<{ digests: Record<string, string> }>(`${address}/data`, original)
    expect(Object.keys(fixed.json.digests)).to.have.members(stockDigests(original.length))
    for (const algorithm of ['p256', 'gost512'] as const) {
      const added = await postJson(address, signed(algorithm))
      expect(added.status, added.text).to.equal(200)
    }
    expect(stockDigests(64 * 2 ** 20)).to.have.length(6)
    expect(stockDigests(64 * 2 ** 20 + 1)).to.have.length(2)
  })

  it('keeps its files from others on the machine', async () => {
    const config = configured({ DATA_DIR: join(folder, 'new') })
    host = await startHost({ config })
    expect(statSync(config.dataDir).mode & 0o777).to.equal(0o700)
    await host.close()
    const elsewhere = join(folder, 'elsewhere.sqlite')
    host = await startHost({ config: configured({ DATABASE_URL: `sqlite:${elsewhere}` }) })
    for (const file of [elsewhere, `${elsewhere}-wal`]) expect(statSync(file).mode & 0o777, file).to.equal(0o600)
  })

  it('names the variable that prevents it from listening, and that of an unusable folder', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const address = taken.address()
    const port = String(typeof address === 'object' && address?.port)
    const plugins = [devAuthorities({ authorities: presentAuthorities() })]
    const refused = (env: Record<string, string>) => startHost({ config: configured(env), plugins }).catch(String)
    expect(await refused({ PORT: port }))
      .to.include(`PORT: ${port} is in use at 127.0.0.1`)
      .and.not.include('MTLS')
    expect(await refused({ MTLS_PORT: port })).to.include(
      `MTLS_PORT: ${port} is in use at 127.0.0.1: set it to another one, 0 for any free one, or off`,
    )
    expect(await refused({ HOST: '192.0.2.1', DEV_AUTHORITIES: 'yes' })).to.include(
      'HOST: 192.0.2.1 is no address of this machine',
    )
    for (const name of ['DATA_DIR', 'ARCHIVE_DIR'])
      for (const folder of [written('file', ''), '/dev/null/new', '/proc/new/folder'])
        expect(await refused({ [name]: folder }), folder).to.include(`${name}: cannot be used`)
    const all = await refused({ HOST: '0.0.0.0', DATA_DIR: '/dev/null/data', ARCHIVE_DIR: '/dev/null/archive' })
    for (const name of ['TRUST_ANCHORS', 'DATA_DIR', 'ARCHIVE_DIR']) expect(all).to.include(`\n  ${name}: `)
    expect(await refused({ SCHEDULES: 'noTask=* * * * *' })).to.include('SCHEDULES: There is no task noTask')
    await new Promise((resolve) => taken.close(resolve))
  })

  it('lets go of its database when it cannot start', async () => {
    const config = configured()
    const key = join(config.dataDir, 'statement.key')
    mkdirSync(key)
    expect(await startHost({ config }).catch(String)).to.include('EISDIR')
    rmSync(key, { recursive: true })
    host = await startHost({ config })
    expect((await request(`${host.url}/healthz`)).status).to.equal(200)
  })

  it('says that the database cannot be used', async () => {
    const config = configured({ DATABASE_URL: `sqlite:${written('text.sqlite', 'no database'.repeat(100))}` })
    expect(await startHost({ config }).catch(String)).to.include('DATABASE_URL: file is not a database')
  })

  if (mariaDbProgram !== undefined)
    it('starts although its replica cannot be reached', async () => {
      const replica = `mysql://root@127.0.0.1:${await freePort()}/registry`
      const config = configured({
        DATABASE_URL: await openMariaDb(),
        DATABASE_READ_URL: replica,
        DEV_AUTHORITIES: 'yes',
      })
      host = await startHost({
        config,
        plugins: [devAuthorities({ authorities: presentAuthorities() })],
      })
      const { replicaFigures } = host.registry.get(Database)
      expect(replicaFigures).to.deep.equal({ replica: 0, primary: 0 })
      expect(await (await fetch(`${host.url}/metrics`)).text()).to.include(
        'registry_replica_reads_total{by="replica"} 0',
      )
    })

  it('asks the configured authorities; while one is down it answers 503 and when to try again', async () => {
    const server = await AuthorityServer.start((ocspUrl) => presentAuthorities({ ocspUrl }))
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
    const authorities = presentAuthorities()
    const [anchor] = authorities.anchors
    const config = configured({
      TRUST_ANCHORS: written('anchor.pem', anchor ? pem('CERTIFICATE', anchor) : ''),
      TSP_URL: 'http://tsp.invalid',
    })
    const refused = await startHost({ config, plugins: [devAuthorities({ authorities })] }).catch(String)
    expect(refused).to.include('Development authorities are refused together with TRUST_ANCHORS')
  })

  it('refuses development authorities where others reach them, unless that is meant', async () => {
    const plugins = [devAuthorities({ authorities: presentAuthorities() })]
    const exposed = { HOST: '0.0.0.0', MTLS_PORT: 'off' }
    const refused = await startHost({ config: configured(exposed), plugins }).catch(String)
    expect(refused).to.match(/TRUST_ANCHORS: .* refused at 0\.0\.0\.0.*DEV_AUTHORITIES=yes/)
    const mysql = { DATABASE_URL: 'mysql://root@127.0.0.1/registry' }
    expect(await startHost({ config: configured(mysql), plugins }).catch(String)).to.include('refused on MySQL')
    for (const address of ['::', '192.0.2.1', 'localhost.example', '127.0.0.1.example'])
      expect(await startHost({ config: configured({ HOST: address }), plugins }).catch(String)).to.include('refused at')
    host = await startHost({ config: configured({ ...exposed, DEV_AUTHORITIES: 'yes' }), plugins })
  })

  it('refuses to start without the ports that plugins must provide, and names them', async () => {
    const refused = await startHost({ config: configured(), plugins: [] }).catch(String)
    expect(refused)
      .to.match(/TrustStore/)
      .and.match(/TimestampSource/)
      .and.match(/StatusSource/)
  })

  it('serves people and information systems by the same application, on two ports or on one', async () => {
    const authorities = presentAuthorities()
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

  it('lets go of a phone that waits at the port for information systems, and closes', async () => {
    host = await startHost({ config: configured(), plugins: [devAuthorities({ authorities: presentAuthorities() })] })
    const { json } = await postJson<{ signURL: string }>(`${host.url}/api/govQr`, { description: '' })
    const system = new SystemClient(Number(new URL(host.systemsUrl ?? '').port))
    const { pathname } = new URL(json.signURL)
    const held = system.ask('GET', pathname.replace(/^\/api/, '')).catch(() => undefined)
    const { registry } = host
    await until(async () => registry.get(Ledger).state().heldCalls.all > 0)
    await host.close()
    await held
    system.close()
  })

  it('finishes the requests in progress before it closes', async () => {
    const authorities = presentAuthorities()
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

  it('logs with nothing configured: a checkpoint is served a moment after a registration', async () => {
    const config = configured()
    const { url, registry } = await startHost({ config }).then((started) => {
      host = started
      return started
    })
    await until(async () => (await request(`${url}/api/log`)).status === 200)
    const { address } = (await request(`${url}/api/log`)).json
    const checkpoint = `${url}${new URL(String(address)).pathname}/checkpoint`
    const size = async () => {
      const text = await (await fetch(checkpoint)).text()
      return Number(/\/log\/[0-9a-f]{16}\n(\d+)\n/.exec(text)?.[1] ?? 0)
    }
    // Its first entry is the key of the registry.
    await until(async () => (await size()) === 1)
    const signature = registry.get(DevelopmentAuthorities).named('person-1').signCms(Buffer.from('text'))
    expect((await postJson(`${url}/api`, { signature: signature.toString('base64') })).status).to.equal(200)
    await until(async () => (await size()) > 1)
    const kept = readdirSync(config.dataDir)
    expect(statSync(join(config.dataDir, 'log.key')).mode & 0o777).to.equal(0o600)
    expect(kept).to.not.include('witness.key')
    expect(kept.some((name) => /^log-[0-9a-f]{16}\.checkpoint$/.test(name))).to.equal(true)
  })

  it('logs nothing when the log is off, and makes no key', async () => {
    const config = configured({ LOG: 'off' })
    host = await startHost({ config })
    expect((await request(`${host.url}/api/log`)).json.code).to.equal('logNotKept')
    expect(readdirSync(config.dataDir)).to.not.include('log.key')
  })
})
