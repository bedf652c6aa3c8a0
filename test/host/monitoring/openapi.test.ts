import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { clientCertificate } from '../../support/client-certificate.js'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { request, sendRaw } from '../../support/http.js'

interface Operation {
  operationId?: string
  summary?: string
  description?: string
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> }
  responses: Record<string, { description: string; content: Record<string, { schema: { $ref?: string } }> }>
}

describe('the OpenAPI description', () => {
  let host: TestHost
  let document: { openapi: string; paths: Record<string, Record<string, Operation>>; components: { schemas: object } }
  before(async () => {
    host = await startTestHost(openSqlite, {
      proxies: { trusted: ['127.0.0.1'], certificateHeader: 'client-cert' },
    })
    document = (await request<typeof document>(`${host.url}/openapi.json`)).json
  })
  after(() => host.close())

  it('is the one in docs/openapi.json ("npm run generate" writes it)', () => {
    const written = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')
    expect(JSON.parse(written)).to.deep.equal(document)
  })

  it('names every operation, its schemas and its refusals', () => {
    expect(document.openapi).to.equal('3.1.0')
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    expect(operations).to.have.lengthOf.at.least(21)
    for (const { operationId, summary, description, responses } of operations) {
      expect(description, operationId).to.be.a('string').and.not.equal(`${summary}.`)
      expect(operationId, JSON.stringify(responses)).to.be.a('string')
      for (const { description } of Object.values(responses)) expect(description).to.not.equal('Default Response')
      expect(responses['4XX']?.content['application/json']?.schema.$ref).to.equal('#/components/schemas/Problem')
    }
    const register = document.paths['/api']?.post
    expect(register?.responses['415']?.description).to.equal('`unsupportedMediaType`')
    expect(register?.responses['422']?.description).to.contain('`invalidSignature`')
    expect(register?.responses['200']?.content['application/json']).to.have.nested.property('example.documentId')
    expect(register?.requestBody?.content['application/json']).to.have.nested.property('example.signature')
    expect(register?.requestBody?.content['application/json']?.schema.$ref).to.equal(
      '#/components/schemas/RegisterDocumentRequest',
    )
    const data = document.paths['/api/{id}/data']?.post
    expect(data?.requestBody?.content).to.have.all.keys('application/octet-stream')
  })

  it('shows for every operation what it answered, and with which codes it refused', () => {
    for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
      const { operationId, responses } = operation
      if (responses['200']?.content?.['application/json']) {
        expect(responses['200'].content['application/json'], operationId).to.have.property('example')
      }
      const codes = Object.entries(responses).flatMap(([status, { description }]) =>
        /^4\d\d$/.test(status) ? [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code) : [],
      )
      const own = codes.filter(
        (code) => !['rateLimitReached', 'bodyTooLarge', 'unsupportedMediaType'].includes(`${code}`),
      )
      expect(own, operationId).to.not.have.length(0)
    }
  })

  it('names what the host refuses before any operation: certificates, bodies without a length, and what is no JSON', async () => {
    const certificate = `:${clientCertificate().der.toString('base64')}:`
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId, responses }] of Object.entries(methods)) {
        if (operationId === 'authenticate') continue
        const url = `${host.url}${path.replace(/\{\w+\}/g, 'A'.repeat(16))}`
        const init = { method: method.toUpperCase(), headers: { 'client-cert': certificate } }
        const { status, json } = await request<{ code: string }>(url, init)
        expect([status, json.code], operationId).to.deep.equal([401, 'tlsCertificateNotListed'])
        expect(responses['401']?.description, operationId).to.contain(`\`${json.code}\``)
      }
    }
    const { host: name } = new URL(host.url)
    const refused = async (path: string, type: string, length: string, body: string) => {
      const head = `POST ${path} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`
      const [, code] = /"code":"(\w+)"/.exec(await sendRaw(host.url, `${head}${body}`)) ?? []
      const described = document.paths[path.replace('A'.repeat(16), '{id}')]?.post?.responses['400']?.description
      expect(described, path).to.contain(`\`${code}\``)
      return code
    }
    const [chunked, one] = ['Transfer-Encoding: chunked', '1\r\n{\r\n0\r\n\r\n']
    const id = 'A'.repeat(16)
    for (const path of [`/api/${id}/data`, `/api/${id}/verify`, '/api/checkDDC'])
      expect(await refused(path, 'application/octet-stream', chunked, one)).to.equal('contentLengthNotSet')
    expect(await refused('/api', 'multipart/form-data; boundary=a', chunked, one)).to.equal('contentLengthNotSet')
    for (const path of ['/api', `/api/${id}/notify`, '/api/settings'])
      expect(await refused(path, 'application/json', 'Content-Length: 1', '{')).to.equal('jsonNotParsed')
  })

  it('says where an answer is bytes, events or text beside JSON', () => {
    const typesOf = (operation: Operation | undefined) => Object.keys(operation?.responses['200']?.content ?? {})
    const [raw, app] = [document.paths['/api/govQr/{qrId}'], document.paths['/api/govQr/app/{appId}/documents']]
    const state = document.paths['/api/{id}/govOperation/{operationId}']
    expect(typesOf(raw?.get)).to.deep.equal(['application/json', 'application/octet-stream'])
    expect(typesOf(raw?.post)).to.deep.equal(['application/json'])
    for (const method of ['get', 'post'])
      expect(typesOf(app?.[method])).to.deep.equal(['application/json', 'application/octet-stream'])
    expect(typesOf(app?.put)).to.deep.equal(['application/json', 'text/plain'])
    expect(typesOf(state?.get)).to.deep.equal(['application/json', 'text/event-stream'])
    expect(document.components.schemas).to.have.nested.property('RawResult.properties.documentsToSign')
    expect(document.components.schemas).to.have.nested.property('AppDocuments.properties.signMethod')
  })

  it('refers only to schemas that it has, and has only those', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
    expect(document.components.schemas).to.have.all.keys(references.map(([, name]) => String(name)))
    expect(JSON.stringify(document)).to.not.include('"$id"')
  })
})
