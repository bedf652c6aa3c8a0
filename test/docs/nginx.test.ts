import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { localCertificate } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { clientCertificate } from '../support/client-certificate.js'
import { openSqlite } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { onPath } from '../support/programs.js'
import { listCertificates, SystemClient } from '../support/systems.js'
import { until } from '../support/until.js'

const GIB = 2 ** 30
const PLACES = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
const nginx = onPath('nginx')
const suite = nginx !== undefined || process.env.REQUIRE_NGINX === '1' ? describe : describe.skip

suite('deploy/nginx.conf', () => {
  const listed = clientCertificate()
  /** Not meant for clients: the registry takes what organizations list. */
  const forServers = clientCertificate('ec -pkeyopt ec_paramgen_curve:prime256v1 -addext extendedKeyUsage=serverAuth')
  let folder: string
  let host: TestHost
  let proxy: ChildProcess
  let plain: number
  let people: SystemClient
  let peoplePort: number
  let system: SystemClient
  let systemForServers: SystemClient
  let stranger: SystemClient

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-nginx-'))
    host = await startTestHost(openSqlite, { proxies: { trusted: ['127.0.0.1'], certificateHeader: 'client-cert' } })
    await listCertificates(host.registry, [listed, forServers])
    const { cert, key } = localCertificate(folder)
    writeFileSync(join(folder, 'site.pem'), cert)
    writeFileSync(join(folder, 'site.key'), key)
    const ports = [await freePort(), await freePort(), await freePort()] as const
    const documented = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8')
    const here = [
      ['listen [::]', '# listen [::]'],
      ['listen 80', `listen 127.0.0.1:${ports[0]}`],
      ['listen 443', `listen 127.0.0.1:${ports[1]}`],
      ['listen 9443', `listen 127.0.0.1:${ports[2]}`],
      ['/etc/nginx/tls', folder],
      ['127.0.0.1:8080', new URL(host.url).host],
    ].reduce((config, [from = '', to = '']) => {
      expect(config).to.include(from)
      return config.replaceAll(from, to)
    }, documented)
    const folders = PLACES.map((one) => `${one}_temp_path ${folder}/${one};`).join(' ')
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/pid; error_log ${folder}/errors; events {}\nhttp { access_log off; ${folders}\n${here}\n}`,
    )
    proxy = spawn(nginx ?? 'nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' })
    ;[plain, peoplePort] = ports
    people = new SystemClient(ports[1])
    system = new SystemClient(ports[2], listed)
    systemForServers = new SystemClient(ports[2], forServers)
    stranger = new SystemClient(ports[2])
    await until(() =>
      people.ask('GET', '/version').then(
        () => true,
        () => false,
      ),
    )
  })
  after(async () => {
    for (const client of [people, system, systemForServers, stranger]) client.close()
    const ended = once(proxy, 'exit')
    proxy.kill('SIGTERM')
    await ended
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Begins a request of so many octets, and answers what comes back before they are sent. */
  async function begun(path: string, length: number): Promise<{ status: number | undefined; body: string }> {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(length) }
    const options = { host: '127.0.0.1', port: peoplePort, path, method: 'POST', headers, rejectUnauthorized: false }
    const request = https.request(options)
    request.on('error', () => undefined)
    request.write('x')
    const [answer] = await once(request, 'response')
    const body = await text(answer)
    request.destroy()
    return { status: answer.statusCode, body }
  }

  it('serves people, whose address is theirs and not the one that they claim', async () => {
    const person = host.authorities.person()
    const original = Buffer.from('Behind nginx.\n')
    const signature = person.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
    const registered = await people.ask('POST', '', { title: 'a', signature }, { 'x-forwarded-for': '10.9.9.9' })
    expect(registered.status).to.equal(200)
    const fixed = await people.ask('POST', `/${registered.json.documentId}/data`, Buffer.alloc(5e6, 'x'))
    // The answer is the host's: it has read five megabytes of something that was not signed.
    expect(fixed.json).to.include({ code: 'signatureDoesNotCorrespond' })
    const { json } = await people.ask('POST', '/auth', {}, { 'x-forwarded-for': '10.9.9.9' })
    const nonce = person.signCms(Buffer.from(String(json.nonce), 'base64'), { timeStamp: false }).toString('base64')
    const login = { nonce: json.nonce, signature: nonce }
    const done = await people.ask('POST', '/auth', login, { 'x-forwarded-for': '10.9.9.9' })
    const [cookie = ''] = String(done.headers['set-cookie']).split(';')
    const log = await people.ask<{ events: { ip: string }[] }>('GET', '/authLog', undefined, { cookie })
    expect(log.json.events[0]?.ip).to.equal('127.0.0.1')
  })

  it('serves information systems by their certificates, and nobody without one', async () => {
    expect((await system.ask('POST', '', { title: 'a' })).status).to.equal(200)
    expect((await systemForServers.ask('POST', '', { title: 'a' })).status).to.equal(200)
    const refused = await begunAs(stranger)
    expect(refused).to.equal(403)
  })

  it('drops a certificate that a client sends as a header', async () => {
    const header = { 'client-cert': encodeURIComponent(listed.pem) }
    expect((await people.ask('POST', '', { title: 'a' }, header)).json).to.include({ code: 'signatureMissing' })
    expect(await begunAs(stranger, header)).to.equal(403)
  })

  it('hides the metrics, and leads to TLS', async () => {
    expect((await begun('/metrics', 1)).status).to.equal(404)
    const { status, headers } = await fetch(`http://127.0.0.1:${plain}/login`, { redirect: 'manual' })
    expect([status, headers.get('location')]).to.deep.equal([308, 'https://registry.example.kz/login'])
  })

  it('passes bodies on as they come, up to the limit of uploads', async () => {
    const passed = await begun('/api/lQsqLBaS4nQAIIMm/data', 4 * GIB)
    expect(JSON.parse(passed.body)).to.include({ code: 'documentNotFound' })
    const refused = await begun('/api/lQsqLBaS4nQAIIMm/data', 4 * GIB + 1)
    expect([refused.status, refused.body.includes('nginx')]).to.deep.equal([413, true])
  })

  it('passes events on when they happen', async () => {
    const begunProcedure = await people.ask<{ stateURL: string }>('POST', '/govQr', { description: '' })
    const { pathname } = new URL(begunProcedure.json.stateURL)
    const headers = { accept: 'text/event-stream' }
    const options = { host: '127.0.0.1', port: peoplePort, path: pathname, headers, rejectUnauthorized: false }
    const request = https.get(options)
    const [answer] = await once(request, 'response')
    const [first] = await once(answer, 'data')
    expect(String(first)).to.include('"status":"new"')
    request.destroy()
  })

  /** The status of an answer that nginx may have given, which is no JSON. */
  async function begunAs(client: SystemClient, headers: Record<string, string> = {}): Promise<number> {
    try {
      return (await client.ask('POST', '', { title: 'a' }, headers)).status
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return 403
    }
  }
})
