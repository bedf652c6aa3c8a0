import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localCertificate } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { clientCertificate } from '../support/client-certificate.js'
import { openSqlite } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { onPath } from '../support/programs.js'
import { addressTaken, beginUpload, deployed, endProxy, firstEvent, startProxy, statusAt } from '../support/proxy.js'
import { listCertificates, SystemClient } from '../support/systems.js'

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
  let systemsPort: number

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-nginx-'))
    host = await startTestHost(openSqlite, { proxies: { trusted: ['127.0.0.1'], certificateHeader: 'client-cert' } })
    await listCertificates(host.registry, [listed, forServers])
    const { cert, key } = localCertificate(folder)
    writeFileSync(join(folder, 'site.pem'), cert)
    writeFileSync(join(folder, 'site.key'), key)
    const ports = [await freePort(), await freePort(), await freePort()] as const
    const here = deployed('nginx.conf', [
      ['listen [::]', '# listen [::]'],
      ['listen 80', `listen 127.0.0.1:${ports[0]}`],
      ['listen 443', `listen 127.0.0.1:${ports[1]}`],
      ['listen 9443', `listen 127.0.0.1:${ports[2]}`],
      ['/etc/nginx/tls', folder],
      ['127.0.0.1:8080', new URL(host.url).host],
    ])
    const folders = PLACES.map((one) => `${one}_temp_path ${folder}/${one};`).join(' ')
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/pid; error_log ${folder}/errors; events {}\nhttp { access_log off; ${folders}\n${here}\n}`,
    )
    ;[plain, peoplePort, systemsPort] = ports
    people = new SystemClient(ports[1])
    system = new SystemClient(ports[2], listed)
    systemForServers = new SystemClient(ports[2], forServers)
    proxy = await startProxy(nginx ?? 'nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], people)
  })
  after(async () => {
    for (const client of [people, system, systemForServers]) client.close()
    await endProxy(proxy)
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('serves people, whose address is theirs and not the one that they claim', async () => {
    const person = host.authorities.person()
    const original = Buffer.from('Behind nginx.\n')
    const signature = person.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
    const registered = await people.ask('POST', '', { title: 'a', signature }, { 'x-forwarded-for': '10.9.9.9' })
    expect(registered.status).to.equal(200)
    const fixed = await people.ask('POST', `/${registered.json.documentId}/data`, Buffer.alloc(5e6, 'x'))
    // The answer is the host's: it has read five megabytes of something that was not signed.
    expect(fixed.json).to.include({ code: 'signatureDoesNotCorrespond' })
    const sign = (nonce: Buffer) => person.signCms(nonce, { timeStamp: false })
    expect(await addressTaken(people, sign, '10.9.9.9')).to.equal('127.0.0.1')
  })

  it('serves information systems by their certificates, and nobody without one', async () => {
    expect((await system.ask('POST', '', { title: 'a' })).status).to.equal(200)
    expect((await systemForServers.ask('POST', '', { title: 'a' })).status).to.equal(200)
    expect(await statusAt(systemsPort, '/api', { method: 'POST' })).to.equal(403)
  })

  it('drops a certificate that a client sends as a header', async () => {
    const header = { 'client-cert': encodeURIComponent(listed.pem) }
    expect((await people.ask('POST', '', { title: 'a' }, header)).json).to.include({ code: 'signatureMissing' })
    expect(await statusAt(systemsPort, '/api', { method: 'POST', headers: header })).to.equal(403)
  })

  it('hides the metrics, and leads to TLS', async () => {
    expect((await beginUpload(peoplePort, '/metrics', 1)).status).to.equal(404)
    const { status, headers } = await fetch(`http://127.0.0.1:${plain}/login`, { redirect: 'manual' })
    expect([status, headers.get('location')]).to.deep.equal([308, 'https://registry.example.kz/login'])
  })

  it('passes bodies on as they come, up to the limit of uploads', async () => {
    const passed = await beginUpload(peoplePort, '/api/lQsqLBaS4nQAIIMm/data', 4 * GIB)
    expect(JSON.parse(passed.body)).to.include({ code: 'documentNotFound' })
    const refused = await beginUpload(peoplePort, '/api/lQsqLBaS4nQAIIMm/data', 4 * GIB + 1)
    expect([refused.status, refused.body.includes('nginx')]).to.deep.equal([413, true])
  })

  it('passes events on when they happen', async () => {
    const begunProcedure = await people.ask<{ stateURL: string }>('POST', '/govQr', { description: '' })
    const { pathname } = new URL(begunProcedure.json.stateURL)
    expect(await firstEvent(peoplePort, pathname)).to.include('"status":"new"')
  })
})
