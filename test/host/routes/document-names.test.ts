import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postJson, request } from '../../support/http.js'

describe('names of documents over HTTP', () => {
  let host: TestHost
  let api: string
  let documentId: string
  before(async () => {
    host = await startTestHost(openSqlite)
    api = `${host.url}/api`
    const signature = host.authorities.person().signCms(Buffer.from('a')).toString('base64')
    documentId = (await postJson<{ documentId: string }>(api, { title: 'договор.pdf', signature })).json.documentId
  })
  after(() => host.close())

  it('carry the identifier before their extension', async () => {
    const own = await request(`${api}/${documentId}/buildFileName`)
    expect(own.json).to.deep.equal({ documentId, fileName: `договор-DocId${documentId}.pdf` })
    const named = await request(`${api}/${documentId}/buildFileName?name=a.b.zip`)
    expect(named.json.fileName).to.equal(`a.b-DocId${documentId}.zip`)
  })

  it('give the identifier back, with and without the slash of the address', async () => {
    for (const path of ['idFromFileName/', 'idFromFileName']) {
      const { json } = await request(`${api}/${path}?name=${encodeURIComponent(`а-DocId${documentId}.pdf`)}`)
      expect(json).to.deep.equal({ documentId })
    }
    const link = await request(
      `${api}/idFromFileName/?name=${encodeURIComponent(`https://r.example/?id=${documentId}`)}`,
    )
    expect(link.json).to.deep.equal({ documentId })
    const none = await request(`${api}/idFromFileName/?name=a.pdf`)
    expect([none.status, none.json.message]).to.deep.equal([400, 'Invalid file name'])
    const missing = await request(`${api}/idFromFileName/`)
    expect([missing.status, missing.json.message]).to.deep.equal([400, 'Invalid URL query parameter'])
  })

  it('are normalized to identifiers', async () => {
    for (const special of [documentId, ` ${documentId} `, `https://r.example/show/?id=${documentId}`]) {
      const { json } = await request(`${api}/normalizeId/${encodeURIComponent(special)}`)
      expect(json).to.deep.equal({ id: documentId, type: 'document' })
    }
    const none = await request(`${api}/normalizeId/x`)
    expect([none.status, none.json.message]).to.deep.equal([400, 'Invalid document identifier'])
  })
})
