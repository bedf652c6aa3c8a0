import type { Signature } from '@signed-registry/core/signatures'
import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postBytes, postJson, request } from '../../support/http.js'

describe('utility addresses', () => {
  let host: TestHost
  before(async () => {
    host = await startTestHost(openSqlite)
  })
  after(() => host.close())

  it('answer the version', async () => {
    const { json } = await request(`${host.url}/api/version`)
    expect(json).to.have.all.keys('version', 'buildTimeStamp', 'licenseOwner', 'licenseUntil')
    expect(json.version).to.match(/^v\d+\.\d+\.\d+$/)
  })

  it('answer every message with its translations, those of HTTP too', async () => {
    const { json } = await request<{ errorMessages: Record<string, { ru: string; kk: string; description: string }> }>(
      `${host.url}/api/strings`,
    )
    expect(json.errorMessages).to.include.keys('Document not found', 'Invalid API route', 'Failed to parse JSON')
    for (const [message, texts] of Object.entries(json.errorMessages)) {
      for (const text of [texts.ru, texts.kk, texts.description]) expect(text, message).to.match(/\S/)
    }
  })

  it('answer how calls to external services went, as a bare array', async () => {
    const before = await request<{ protocol: string; status: string }[]>(`${host.url}/api/externalServicesStats`)
    expect(before.json.map(({ status }) => status)).to.deep.equal(['white'])
    const signature = host.authorities.person().signCms(Buffer.from('a')).toString('base64')
    await postJson(`${host.url}/api`, { signature })
    const { json } = await request<{ protocol: string; status: string }[]>(`${host.url}/api/externalServicesStats`)
    expect(json.map(({ protocol, status }) => [protocol, status])).to.have.deep.members([
      ['tsp', 'green'],
      ['ocsp', 'green'],
    ])
  })

  it('measure verifications and calls to authorities for Prometheus', async () => {
    const person = host.authorities.person()
    const { json } = await postJson(`${host.url}/api`, {
      signature: person.signCms(Buffer.from('b')).toString('base64'),
    })
    await postBytes(`${host.url}/api/${json.documentId}/data`, Uint8Array.from(Buffer.from('b')))
    await postBytes(`${host.url}/api/${json.documentId}/verify`, Uint8Array.from(Buffer.from('b')))
    const metrics = await (await fetch(`${host.url}/metrics`)).text()
    expect(metrics).to.match(/registry_verification_seconds_count\{kind="new",outcome="good"\} [1-9]/)
    expect(metrics).to.match(/registry_verification_seconds_count\{kind="again",outcome="good"\} 1/)
    expect(metrics).to.match(/registry_authority_calls_total\{protocol="tsp",url="[^"]+",outcome="good"\} [1-9]/)
    expect(metrics).to.match(/registry_authority_calls_total\{protocol="ocsp",url="[^"]+",outcome="good"\} [1-9]/)
  })

  it('name every identifier that answers about signatures carry', async () => {
    const { authorities } = host
    const { json: strings } = await request<{ consts: Record<string, object> }>(`${host.url}/api/strings`)
    const named = (registry: string, ids: readonly string[]) =>
      expect(Object.keys(strings.consts[registry] ?? {}), registry).to.include.members([...ids])
    const signers = [authorities.person({ algorithm: 'rsa2048' }), authorities.employee({ role: 'head' })]
    for (const signer of signers) {
      const signature = signer.signCms(Buffer.from('c')).toString('base64')
      const { json } = await postJson(`${host.url}/api`, { signature })
      const fixed = await postBytes<{ digests: object }>(
        `${host.url}/api/${json.documentId}/data`,
        Uint8Array.from(Buffer.from('c')),
      )
      const read = await request<{ signatures: Signature[] }>(`${host.url}/api/${json.documentId}`)
      named('OIDs', Object.keys(fixed.json.digests))
      for (const facts of read.json.signatures.flatMap((one) => [one, one.tsp, one.ocsp])) {
        if (facts === undefined) continue
        named(
          'OIDs',
          [...facts.subjectStructure, ...facts.issuerStructure].flat().map(({ oid }) => oid),
        )
        named('extKeyUsageOIDs', facts.extKeyUsages)
        named('keyUsages', facts.keyUsages)
        named('signatureAlgorithmOIDs', [facts.signAlgorithm, facts.certSignAlgorithm])
        named('OIDs', facts.policyIds)
        if ('timeStampPolicy' in facts) named('timeStampPolicyOIDs', [facts.timeStampPolicy])
        if ('keyStorage' in facts && facts.keyStorage) named('keyStorageOIDs', [facts.keyStorage])
      }
    }
  })

  it('tell that the host is ready', async () => {
    const { json } = await request(`${host.url}/readyz`)
    expect(json).to.deep.equal({ status: 'ready', database: 'ok', log: 'ok', renewal: 'ok', trust: 'ok' })
  })

  it('show the API to people', async () => {
    const page = await fetch(`${host.url}/docs/`)
    expect(page.status).to.equal(200)
    expect(page.headers.get('content-type')).to.match(/^text\/html/)
    const [script] = /static\/[\w-]+bundle\.js/.exec(await page.text()) ?? []
    const bundle = await fetch(`${host.url}/docs/${script}`)
    expect([bundle.status, (await bundle.text()).length > 100_000]).to.deep.equal([200, true])
    const known = await fetch(bundle.url, { headers: { 'if-none-match': bundle.headers.get('etag') ?? '' } })
    expect(known.status).to.equal(304)
    const [withoutSlash] = /[\w./-]+bundle\.js/.exec(await (await fetch(`${host.url}/docs`)).text()) ?? []
    expect((await fetch(new URL(withoutSlash ?? '', `${host.url}/docs`))).status).to.equal(200)
    for (const none of ['none', 'static/none.js', 'static/%2e%2e/package.json', 'static//index.css'])
      expect((await fetch(`${host.url}/docs/${none}`)).status, none).to.equal(404)
    expect(await (await fetch(`${host.url}/docs/json`)).text()).to.equal(
      await (await fetch(`${host.url}/openapi.json`)).text(),
    )
  })
})
