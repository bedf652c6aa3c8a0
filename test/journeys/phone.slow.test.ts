import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ArchiveStore, Database, provideValue, type Registry } from '@signed-registry/core'
import type { BegunRawProcedure } from '@signed-registry/core/procedures'

import { addressIn, DevPhone, devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { forEachDatabase, openSqlite } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { postBytes, postJson, request } from '../support/http.js'
import { logInOverHttp } from '../support/login-over-http.js'
import { MemoryStore } from '../support/memory-store.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { onPath } from '../support/programs.js'
import { startTwoHosts, type TwoHosts } from '../support/two-hosts.js'
import { until } from '../support/until.js'

const DATA = {
  signMethod: 'MIX_SIGN',
  version: 1,
  documentsToSign: [
    { id: 1, signMethod: 'CMS_WITH_DATA', nameRu: 'а', meta: [], document: { file: { mime: '', data: 'YQ==' } } },
    { id: 2, signMethod: 'XML', nameRu: 'б', meta: [], documentXml: '<a>b</a>' },
    { id: 3, signMethod: 'SIGN_BYTES_ARRAY', nameRu: 'в', meta: [], document: { file: { mime: '', data: 'text' } } },
  ],
}
const LAUNCH_HOSTS = ['m.egov.kz', 'mgovsign.page.link']

/** The calls of a public client of the raw interface: begin, send data, wait for signatures. */
async function askForSignatures(begun: BegunRawProcedure): Promise<typeof DATA> {
  const sending = postJson(begun.dataURL, DATA)
  const waiting = request<typeof DATA>(begun.signURL)
  const sent = await sending
  expect(sent.status, sent.text).to.equal(200)
  return (await waiting).json
}

const rows = async (registry: Registry, side: string): Promise<number> =>
  (await registry.get(Database).query('registry_held_calls').where({ side })).length

forEachDatabase((open) => {
  describe('signing by phone across two hosts', () => {
    const authorities = presentAuthorities()
    let hosts: TwoHosts
    before(async () => {
      hosts = await startTwoHosts(await open(), authorities)
    })
    after(() => hosts.close())

    it('brings together a caller at one and the app at the other', async () => {
      const { first, second, site } = hosts
      const { json: begun } = await postJson<BegunRawProcedure>(`${first.url}/api/govQr`, { description: '' })
      const at = (url: string, host: { url: string }) => `${host.url}${new URL(url, 'http://x').pathname}`
      const sending = postJson(at(begun.dataURL, first), DATA)
      const waiting = request<typeof DATA>(at(begun.signURL, first))
      await until(async () => (await rows(first.registry, 'data')) + (await rows(first.registry, 'result')) === 2)
      site.baseUrl = second.url
      const answer = await new DevPhone(authorities.person()).sign(
        at(addressIn(`mobileSign:${second.url}${new URL(begun.govMobileLaunchLink).searchParams.get('link')}`), second),
      )
      expect(answer.status, answer.text).to.equal(200)
      expect((await sending).status).to.equal(200)
      const { json: signed } = await waiting
      expect(signed.documentsToSign.map(({ id }) => id)).to.deep.equal([1, 2, 3])
      expect(signed.documentsToSign[1]?.documentXml).to.contain('<ds:Signature')
      expect(JSON.parse(signed.documentsToSign[2]?.document?.file.data ?? '')).to.have.all.keys(
        'signature',
        'certificate',
      )
    })

    it('lets a later request at the other host win', async () => {
      const { first, second } = hosts
      const { json: begun } = await postJson<BegunRawProcedure>(`${first.url}/api/govQr`, { description: '' })
      const path = new URL(begun.signURL, 'http://x').pathname
      const lost = request(`${first.url}${path}`)
      await until(async () => (await rows(first.registry, 'result')) === 1)
      const controller = new AbortController()
      const later = fetch(`${second.url}${path}`, { signal: controller.signal }).catch(() => undefined)
      expect([(await lost).status, (await lost).json.message]).to.deep.equal([409, 'Other endpoint connected'])
      controller.abort()
      await later
      await until(async () => (await rows(first.registry, 'result')) === 0)
    })

    it('hears of procedures from hosts alone', async () => {
      const url = `${hosts.first.url}/internal/procedures/AAAAAAAAAAAAAAAA`
      expect((await request(url, { method: 'POST' })).status).to.equal(404)
      // As many characters as a proof has, but more octets.
      for (const letter of ['A', 'é']) {
        const headers = { authorization: `Bearer ${letter.repeat(43)}` }
        expect((await request(url, { method: 'POST', headers })).status, letter).to.equal(404)
      }
    })
  })
})

describe('a client of the production service', () => {
  let host: TestHost
  before(async () => {
    const authorities = presentAuthorities()
    const archive = { name: 'memory', provides: [provideValue(ArchiveStore, new MemoryStore())] }
    const plugins = [devAuthorities({ authorities }), archive]
    host = await startTestHost(openSqlite, { authorities, plugins, errorsStatus: 'always-200' })
  })
  after(() => host.close())

  it('signs by the raw interface', async () => {
    const body = { description: 'Тест', attachData: true, signMethod: 'XML', data: [] }
    const { json: begun } = await postJson<BegunRawProcedure>(`${host.url}/api/egovQr`, body)
    expect(begun).to.not.have.any.keys('message', 'requestID')
    for (const link of [begun.eGovMobileLaunchLink, begun.eGovBusinessLaunchLink]) {
      const url = new URL(link)
      expect(LAUNCH_HOSTS).to.include(url.host)
      expect(new URL(url.searchParams.get('link') ?? '').host).to.equal(new URL(host.url).host)
    }
    const asking = askForSignatures(begun)
    const id = addressIn(begun.eGovMobileLaunchLink).split('/').at(-1)
    const answer = await new DevPhone(host.authorities.person()).sign(`mobileSign:${host.url}/api/egovQr/egov/${id}`)
    expect(answer.status).to.equal(200)
    expect((await asking).documentsToSign).to.have.length(3)
    const alias = begun.signURL.replace('govQr', 'egovQr')
    expect((await request<typeof DATA>(alias)).json.documentsToSign).to.have.length(3)
  })

  it('signs documents by the simplified interface, and reads errors out of 200', async () => {
    const person = host.authorities.person()
    const cookie = await logInOverHttp(host.url, person)
    const original = new TextEncoder().encode('a contract')
    const signature = person.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
    const settings = { private: false, documentAccess: [], tempStorageAfterRegistration: 3_600_000 }
    const { documentId } = (
      await postJson<{ documentId: string }>(`${host.url}/api`, { title: 'a.pdf', signature, settings })
    ).json
    const fixed = (await postBytes<{ documentId: string }>(`${host.url}/api/${documentId}/data`, original)).json
    expect(fixed.documentId).to.equal(documentId)
    const ask = (path: string, method = 'GET', body?: object) =>
      request<Record<string, string>>(`${host.url}/api/${documentId}/${path}`, {
        method,
        headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
    const { json: begun } = await ask('egovQr', 'POST', { language: 'kk' })
    const operation = `egovOperation/${begun.operationId}`
    expect((await ask(operation)).json.status).to.equal('new')
    const phone = new DevPhone(host.authorities.person())
    // The app gets real statuses, even when other clients get 200.
    const change = (json: object) => ({ ...json, signMethod: 'XML' })
    expect((await phone.sign(begun.eGovMobileLaunchLink ?? '', { change })).status).to.equal(403)
    expect((await ask(operation)).json).to.have.nested.property('errors.egov', 'eGov mobile data exchange failed')
    const canceled = await ask(operation, 'DELETE')
    expect([canceled.status, canceled.json.message]).to.deep.equal([200, 'Invalid QR signing state'])
    const { json: again } = await ask('egovQr', 'POST', { description: '' })
    expect((await phone.sign(again.eGovMobileLaunchLink ?? '')).status).to.equal(200)
    expect((await ask(`egovOperation/${again.operationId}`)).json.status).to.equal('done')
  })
})

const nginx = onPath('nginx')
const suite = nginx !== undefined || process.env.REQUIRE_NGINX === '1' ? describe : describe.skip
suite('signing by phone behind nginx', () => {
  let host: TestHost
  let folder: string
  let proxy: ChildProcess
  let ports: number[]
  before(async () => {
    host = await startTestHost(openSqlite)
    folder = mkdtempSync(join(tmpdir(), 'registry-nginx-'))
    ports = [await freePort(), await freePort()]
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (one) => `${one}_temp_path ${folder}/${one};`,
    )
    // The default is 60 seconds; the test uses one.
    const documented = readFileSync(new URL('../../docs/mobile-signing.md', import.meta.url), 'utf8')
    const asDocumented = /```nginx\n([\s\S]*?)```/.exec(documented)?.[1] ?? ''
    const asItComes = 'location / { proxy_pass http://127.0.0.1:8080; proxy_read_timeout 1s; }'
    const servers = [asItComes, asDocumented].map(
      (location, at) =>
        `server { listen 127.0.0.1:${ports[at]}; ${location.replace('http://127.0.0.1:8080', host.url)} }`,
    )
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/pid; error_log stderr emerg; events {} http { access_log off; ${temporary.join(' ')} ${servers.join(' ')} }`,
    )
    proxy = spawn(nginx ?? 'nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
    await until(() =>
      fetch(`http://127.0.0.1:${ports[1]}/`).then(
        () => true,
        () => false,
      ),
    )
  })
  after(async () => {
    const ended = once(proxy, 'exit')
    proxy.kill('SIGTERM')
    await ended
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const through = (port: number | undefined, url: string) => `http://127.0.0.1:${port}${new URL(url).pathname}`
  const begin = async () => (await postJson<BegunRawProcedure>(`${host.url}/api/govQr`, { description: '' })).json

  it('reaches every address of the interface by the documented settings', async () => {
    const at = `http://127.0.0.1:${ports[1]}/api`
    expect((await postJson(at, {})).json).to.include({ code: 'signatureMissing' })
    expect((await postJson(`${at}/auth`, {})).json).to.have.all.keys('nonce')
  })

  it('is cut by its defaults, and goes through with the documented settings', async () => {
    const begun = await begin()
    expect((await fetch(through(ports[0], begun.signURL))).status).to.equal(504)
    const [dataURL, signURL] = [through(ports[1], begun.dataURL), through(ports[1], begun.signURL)]
    const asking = askForSignatures({ ...begun, dataURL, signURL })
    await until(async () => (await rows(host.registry, 'data')) === 1 && (await rows(host.registry, 'result')) > 0)
    await new DevPhone(host.authorities.person()).sign(begun.govMobileLaunchLink)
    expect((await asking).documentsToSign).to.have.length(3)
  })

  it('reports its state by events and by polling, with the default settings too', async () => {
    const begun = await begin()
    const events = await fetch(through(ports[1], begun.stateURL), { headers: { accept: 'text/event-stream' } })
    const reader = events.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).to.contain('"status":"new"')
    await request(addressIn(begun.govMobileLaunchLink))
    expect(new TextDecoder().decode((await reader?.read())?.value)).to.contain('"status":"meta"')
    await reader?.cancel()
    // A busy machine may take longer than the second for which this proxy waits.
    const polled = async () => (await fetch(through(ports[0], begun.stateURL))).text()
    await until(async () => (await polled()).includes('"status":"meta"'))
  })
})
