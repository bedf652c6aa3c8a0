import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { openSqlite } from '../support/databases.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { request } from '../support/http.js'

interface Operation {
  operationId?: string
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> }
  responses: Record<string, { description: string; content: Record<string, { schema: { $ref?: string } }> }>
}

describe('the OpenAPI description', () => {
  let host: TestHost
  let document: { openapi: string; paths: Record<string, Record<string, Operation>>; components: { schemas: object } }
  before(async () => {
    host = await startTestHost(openSqlite)
    document = (await request<typeof document>(`${host.url}/openapi.json`)).json
  })
  after(() => host.close())

  it('is the one in docs/openapi.json ("npm run openapi" writes it)', () => {
    const written = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
    expect(JSON.parse(written)).to.deep.equal(document)
  })

  it('names every operation, its schemas and its refusals', () => {
    expect(document.openapi).to.equal('3.1.0')
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    expect(operations).to.have.lengthOf.at.least(21)
    for (const { operationId, responses } of operations) {
      expect(operationId, JSON.stringify(responses)).to.be.a('string')
      for (const { description } of Object.values(responses)) expect(description).to.not.equal('Default Response')
      expect(responses.default?.content['application/json']?.schema.$ref).to.equal('#/components/schemas/Problem')
    }
    const register = document.paths['/api']?.post
    expect(register?.requestBody?.content['application/json']?.schema.$ref).to.equal(
      '#/components/schemas/RegisterDocumentRequest',
    )
    const data = document.paths['/api/{id}/data']?.post
    expect(data?.requestBody?.content).to.have.all.keys('application/octet-stream')
  })

  it('refers only to schemas that it has', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
    expect(document.components.schemas).to.include.keys(references.map(([, name]) => String(name)))
    expect(JSON.stringify(document)).to.not.include('"$id"')
  })
})
