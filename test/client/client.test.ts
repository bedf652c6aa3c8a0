import { readFileSync } from 'node:fs'
import { allItems, type Client, createClient, isProblem, problemOf } from '@signed-registry/client'
import { expect } from 'chai'
import { openSqlite } from '../support/databases.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { CLIENT_FILE, clientFile } from './client-file.js'

const unformatted = (source: string) => source.replace(/[\s()|;,'"]/g, '')

describe('the typed client', () => {
  let host: TestHost
  let client: Client
  before(async () => {
    host = await startTestHost(openSqlite)
    client = createClient({ baseUrl: host.url })
  })
  after(() => host.close())

  const original = new Uint8Array(Buffer.from('I owe you 100 tenge.'))
  const signature = () => host.authorities.person().signCms(original).toString('base64')
  const login = async () => {
    const answer = await client.authenticate({ request: {} })
    if (!('nonce' in answer)) throw new Error('There is no nonce')
    const person = host.authorities.person()
    const signed = person.signCms(Buffer.from(answer.nonce, 'base64'), { detached: false }).toString('base64')
    return client.authenticate({ request: { nonce: answer.nonce, signature: signed } })
  }

  it('is made of the operations and the table of routes (npm run generate writes it)', () => {
    expect(unformatted(readFileSync(CLIENT_FILE, 'utf8'))).to.equal(unformatted(clientFile()))
  })

  it('registers a document with its original in one request', async () => {
    const request = { title: 'note.txt', signature: signature() }
    const answer = await client.registerDocument({ request, upload: original })
    expect(answer).to.include({ signedDataSize: original.length }).and.to.include.keys('signId', 'digests')
  })

  it('registers, uploads, reads and verifies', async () => {
    const { documentId } = await client.registerDocument({ request: { title: 'note.txt', signature: signature() } })
    const sent: number[] = []
    const upload = new Blob([original])
    await client.fixDigests({ id: documentId, upload }, { onProgress: (bytes, total) => sent.push(bytes, total) })
    expect(sent).to.include.members([original.length])
    await client.addSignature({ id: documentId, request: { signature: signature() } })
    const { signaturesTotal } = await client.getDocument({ id: documentId })
    expect(signaturesTotal).to.equal(2)
    await client.verifyDocument({ id: documentId, upload: original })
  })

  it('reads on through every page of a list', async () => {
    const { documentId } = await client.registerDocument({ request: { title: 'long.txt', signature: signature() } })
    await client.fixDigests({ id: documentId, upload: original })
    const added = []
    for (let count = 0; count < 51; count += 1) {
      added.push((await client.addSignature({ id: documentId, request: { signature: signature() } })).signId)
    }
    const read = []
    for await (const { signId } of allItems(client, 'getDocument', { id: documentId })) read.push(signId)
    expect(read).to.have.length(52).and.include.members(added)
  })

  it('searches on from pages without a match, and stops where the search does', async () => {
    const asked: string[] = []
    const answers = [
      { documentsTotal: 0, documents: [], searchCursor: 'p0.5' },
      { documentsTotal: 1, documents: [{ documentId: 'A'.repeat(16), storedAt: 4 }], searchCursor: 'p0.3' },
      { documentsTotal: 0, documents: [] },
    ]
    const answering = createClient({
      baseUrl: 'http://answers.invalid',
      fetch: async (url) => {
        asked.push(new URL(String(url)).search)
        return Response.json(answers.shift())
      },
    })
    const found = []
    const input = { query: { searchQuery: 'a' } }
    for await (const { documentId } of allItems(answering, 'listDocuments', input)) found.push(documentId)
    expect(found).to.deep.equal(['A'.repeat(16)])
    expect(asked).to.deep.equal([
      '?searchQuery=a',
      '?searchQuery=a&searchCursor=p0.5',
      '?searchQuery=a&searchCursor=p0.3',
    ])
  })

  it('throws refusals with a code of the catalogue, their status and requestID', async () => {
    const refused = await client.getDocument({ id: 'A'.repeat(16) }).catch((error: unknown) => error)
    expect(isProblem(refused, 'documentNotFound')).to.equal(true)
    expect(isProblem(refused, 'accessDenied')).to.equal(false)
    expect(refused).to.include({ status: 404 }).and.to.have.property('requestID')
  })

  it('reads refusals out of answers that were fetched without it', async () => {
    const answer = await fetch(`${host.url}/api/${'A'.repeat(16)}/data`)
    const refusal = problemOf(answer.status, await answer.json(), null)
    expect(isProblem(refusal, 'documentNotFound')).to.equal(true)
    expect(problemOf(200, { message: 'Access denied', code: 'accessDenied', requestID: 'r1' }, '60')).to.include({
      code: 'accessDenied',
      retryAfter: 60,
    })
    expect(problemOf(502, undefined, null)).to.include({ code: 'unknown', status: 502 })
    expect(problemOf(200, {}, null)).to.equal(undefined)
  })

  it('keeps the session of who logged in', async () => {
    expect(
      isProblem(await client.getUserSettings().catch((error: unknown) => error), 'authenticationRequired'),
    ).to.equal(true)
    await login()
    expect(await client.getUserSettings()).to.be.an('object')
  })

  it('has one effect for the same key', async () => {
    const request = { title: 'once.txt', signature: signature() }
    const options = { idempotencyKey: 'one' }
    const first = await client.registerDocument({ request }, options)
    expect(await client.registerDocument({ request }, options)).to.deep.equal(first)
  })
})
