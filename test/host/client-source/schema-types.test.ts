import { expect } from 'chai'
import { SchemaTypes } from '#host/client-source/schema-types.js'

const named = ($id: string) => ({ $id, type: 'object', properties: { count: { type: 'integer' } } })

describe('types that are written for schemas', () => {
  it('have the names of the schemas, made of what TypeScript allows', () => {
    const types = new SchemaTypes()
    const texts = ['Visit', 'our-plugin/visit', 'https://example.kz/2', '2', '…', 'string'].map((id) =>
      types.text(named(id)),
    )
    expect(texts).to.deep.equal(['Visit', 'OurPluginVisit', 'HttpsExampleKz2', 'Schema2', 'Schema', 'String'])
    expect([...types.named.keys()]).to.deep.equal(texts)
  })

  it('have a name each, also where schemas are called alike or as a part of the client', () => {
    const types = new SchemaTypes()
    const texts = ['a-visit', 'AVisit', 'a-visit', 'Client', 'Record'].map((id) => types.text(named(id)))
    expect(texts).to.deep.equal(['AVisit', 'AVisit2', 'AVisit', 'Client2', 'Record2'])
  })

  it('do not end their comments early', () => {
    const field = { type: 'string', description: 'of */ whom' }
    expect(new SchemaTypes().text({ type: 'object', properties: { field } })).to.include('/** of * / whom */')
  })
})
