import { createServer, type RequestListener, type Server } from 'node:http'
import { type Client, type ClientOptions, createClient, isProblem, RegistryUnavailable } from '@signed-registry/client'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { expect } from 'chai'
import { openSqlite } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { presentAuthorities } from '../support/pki/authorities.js'

const ID = 'A'.repeat(16)
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(() => undefined).catch((error: unknown) => error)

describe('the typed client, when something else answers, or nothing', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
    server = undefined
  })

  /** A client of a server that answers as told, and what was asked. */
  const clientOf = async (answer: RequestListener, options: ClientOptions = {}) => {
    const asked: string[] = []
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      answer(request, response)
    })
    const port = await freePort()
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    return { asked, client: createClient({ baseUrl: `http://127.0.0.1:${port}`, ...options }) }
  }
  /** Answers in turn; the last one again and again. */
  const inTurn = (...answers: readonly RequestListener[]): RequestListener => {
    let turn = 0
    return (request, response) => answers[Math.min(turn++, answers.length - 1)]?.(request, response)
  }
  const busy =
    (seconds: number): RequestListener =>
    (_, response) =>
      void response.writeHead(503, { 'retry-after': String(seconds) }).end('{}')
  const strings: RequestListener = (_, response) => void response.writeHead(200).end('{"ru":{}}')

  it('says that a page is no answer of a registry', async () => {
    const { client } = await clientOf((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Log in</title>')
    })
    for (const call of [client.getStrings(), client.openFile('getDocumentEvidence', { id: ID })]) {
      const error = await failureOf(call)
      expect(error).to.be.instanceOf(RegistryUnavailable).and.to.include({ reason: 'notARegistry' })
      expect(String(error)).to.include('text/html').and.to.include('baseUrl')
    }
  })

  it('says that a registry cannot be reached, and what the platform said', async () => {
    const client = createClient({ baseUrl: `http://127.0.0.1:${await freePort()}`, retries: 0 })
    const error = await failureOf(client.getStrings())
    expect(error).to.be.instanceOf(RegistryUnavailable).and.to.include({ reason: 'network' })
    expect(error).to.have.property('cause').that.is.instanceOf(TypeError)
  })

  it('says that an answer took too long', async () => {
    const { client } = await clientOf(() => undefined, { timeoutMs: 20, retries: 0 })
    expect(await failureOf(client.getStrings())).to.include({ reason: 'timeout' })
  })

  it('asks again where it reads, as late as the registry says', async () => {
    const { client, asked } = await clientOf(inTurn(busy(0), (request) => void request.socket.destroy(), strings))
    expect(await client.getStrings()).to.deep.equal({ ru: {} })
    expect(asked).to.have.length(3)
  })

  it('asks no more often than it may, and not at all where it would wait for long', async () => {
    const often = await clientOf(busy(0), { retries: 1 })
    expect(isProblem(await failureOf(often.client.getStrings()))).to.equal(true)
    expect(often.asked).to.have.length(2)
    server?.close()
    const late = await clientOf(busy(31))
    expect(await failureOf(late.client.getStrings())).to.include({ status: 503, retryAfter: 31 })
    expect(late.asked).to.have.length(1)
  })

  it('repeats what has an effect only with a key', async () => {
    const { client, asked } = await clientOf(busy(0))
    const input = { request: { title: 'note.txt', signature: 'AA==' } }
    await failureOf(client.registerDocument(input))
    expect(asked).to.have.length(1)
    await failureOf(client.registerDocument(input, { idempotencyKey: crypto.randomUUID() }))
    expect(asked).to.have.length(4)
  })

  it('says that a key is wrong which no header can carry, and asks nobody', async () => {
    let asked = 0
    const fetching: typeof fetch = (url, init) => {
      asked += 1
      return fetch(url, init)
    }
    const { client } = await clientOf(strings, { fetch: fetching })
    for (const idempotencyKey of ['one\ntwo', 'one\0two', 'ключ'])
      for (const call of [
        client.getStrings(undefined, { idempotencyKey }),
        client.registerDocument({ request: { title: 'note.txt', signature: 'AA==' } }, { idempotencyKey }),
      ])
        expect(await failureOf(call), JSON.stringify(idempotencyKey))
          .to.be.instanceOf(TypeError)
          .and.to.have.property('message')
          .that.includes('idempotencyKey')
    expect(asked).to.equal(0)
  })

  it('stops when it is told to, also while it waits', async () => {
    const stop = new AbortController()
    const { client, asked } = await clientOf((request, response) => {
      busy(20)(request, response)
      response.on('finish', () => setImmediate(() => stop.abort(new Error('told to stop'))))
    })
    expect(await failureOf(client.getStrings(undefined, { signal: stop.signal }))).to.have.property(
      'message',
      'told to stop',
    )
    expect(asked).to.have.length(1)
  })

  it('sends cookies to its own origin alone, unless told otherwise', async () => {
    const sent: unknown[] = []
    const fetching: typeof fetch = async (_, init) => {
      sent.push(init?.credentials)
      return Response.json({})
    }
    await createClient({ fetch: fetching }).getStrings()
    await createClient({ fetch: fetching, credentials: 'include' }).getStrings()
    expect(sent).to.deep.equal(['same-origin', 'include'])
  })
})

describe('the typed client, with streams', () => {
  let host: TestHost
  let client: Client
  before(async () => {
    const authorities = presentAuthorities()
    const plugins = [devAuthorities({ authorities }), evidenceAsic({})]
    host = await startTestHost(openSqlite, { authorities, plugins })
    client = createClient({ baseUrl: host.url })
  })
  after(() => host.close())

  const original = new Uint8Array(Buffer.from('I owe you 100 tenge.'))

  it('sends an original as it is read, and opens a file as it comes', async () => {
    const signature = host.authorities.person().signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
    const { documentId: id } = await client.registerDocument({ request: { title: 'note.txt', signature } })
    const parts = [original.subarray(0, 5), original.subarray(5)]
    const sent: number[] = []
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    })
    const upload = { stream, size: original.length }
    await client.fixDigests({ id, upload }, { onProgress: (bytes) => sent.push(bytes) })
    expect(sent).to.deep.equal([5, original.length])
    await client.verifyDocument({ id, upload: original })

    const chunks: Uint8Array[] = []
    for await (const chunk of await client.openFile('getDocumentEvidence', { id })) chunks.push(chunk)
    expect(Buffer.concat(chunks).subarray(0, 2).toString()).to.equal('PK')
    const refused = await failureOf(client.openFile('getDocumentEvidence', { id: ID }))
    expect(isProblem(refused, 'documentNotFound')).to.equal(true)
  })
})
