import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { Upload } from '@signed-registry/core'
import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import { listen, serverWith } from '../../support/api-scope.js'
import { openSocket, postBytes, request, sendRaw } from '../../support/http.js'

describe('an upload', () => {
  let app: FastifyInstance
  let origin: string
  let failures: unknown[]

  const take = async ({ size, stream }: Upload) => {
    let [bytes, chunks] = [0, 0]
    try {
      for await (const chunk of stream) {
        bytes += chunk.length
        chunks++
      }
    } catch (error) {
      failures.push(error)
      throw error
    }
    return { size, bytes, chunks }
  }
  before(async () => {
    app = await serverWith({ take }, { limits: { json: 1024, upload: 2 ** 24 } })
    origin = await listen(app)
  })
  after(() => app.close())
  beforeEach(() => {
    failures = []
  })

  it('passes as a stream', async () => {
    const { json } = await postBytes(`${origin}/api/x/data`, new Uint8Array(2 ** 23))
    expect(json).to.include({ size: 2 ** 23, bytes: 2 ** 23 })
    expect(json.chunks).to.be.above(1)
  })

  it('may be empty', async () => {
    expect((await postBytes(`${origin}/api/x/data`, new Uint8Array())).json).to.include({ size: 0, bytes: 0 })
  })

  it('is refused without Content-Length, chunked ones too', async () => {
    const chunked = await sendRaw(
      origin,
      'POST /api/x/data HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
    )
    const bare = await sendRaw(origin, 'POST /api/x/data HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    for (const answer of [chunked, bare]) {
      expect(answer).to.match(/^HTTP\/1\.1 400 /)
      expect(answer).to.include('"message":"HTTP Content-Length request header not set"')
    }
  })

  it('is refused above the limit before any of it is read', async () => {
    const answer = await sendRaw(
      origin,
      `POST /api/x/data HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: ${2 ** 24 + 1}\r\n\r\n`,
    )
    expect(answer).to.match(/^HTTP\/1\.1 413 /)
    expect(answer).to.include('"message":"Request body is too large"')
  })

  it('needs Content-Type: application/octet-stream', async () => {
    for (const type of ['application/json', 'text/plain', undefined]) {
      const headers = type === undefined ? [] : [['content-type', type]]
      const answer = await request(`${origin}/api/x/data`, {
        method: 'POST',
        headers: headers as [string, string][],
        body: new Uint8Array([1]),
      })
      expect(answer.json, type).to.include({ message: 'Invalid HTTP request headers' })
      expect(answer.status).to.equal(400)
    }
  })

  it('is refused when less or more comes than was declared', async () => {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': '10' }
    for (const payload of ['short', 'much too long']) {
      const answer = await app.inject({ method: 'POST', url: '/api/x/data', headers, payload })
      expect(answer.json()).to.include({
        message: 'The processed data size does not match the one passed in HTTP Content-Length request header',
      })
      expect(answer.statusCode).to.equal(400)
    }
    expect(failures).to.have.lengthOf(2)
  })

  it('ends in the same error when the connection breaks off', async () => {
    const { port } = new URL(origin)
    const upload = httpRequest({
      port,
      path: '/api/x/data',
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'content-length': '1000000' },
    })
    upload.on('error', () => undefined)
    upload.write(Buffer.alloc(1000))
    await once(upload, 'socket')
    upload.write(Buffer.alloc(1000), () => upload.destroy())
    while (failures.length === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(failures[0]).to.include({ code: 'processedSizeDiffers' })
  })

  it('is cut off when it comes too slowly', async () => {
    const impatient = await serverWith({ take }, { pace: { grace: 200, bytesPerSecond: 2 ** 30 } })
    const socket = await openSocket(await listen(impatient))
    socket.write(
      'POST /api/x/data HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 10\r\n\r\nabc',
    )
    socket.on('error', () => undefined)
    socket.resume()
    await once(socket, 'close')
    await impatient.close()
    expect(failures[0]).to.include({ code: 'processedSizeDiffers' })
  })

  it('can be answered although it was not read to its end', async () => {
    const own = await serverWith({ take: async () => ({ read: 'nothing' }) })
    const answer = await postBytes(`${await listen(own)}/api/x/data`, new Uint8Array(2 ** 22))
    expect(answer.json).to.deep.equal({ read: 'nothing' })
    await own.close()
  })
})

describe('bytes that are no HTTP request', () => {
  it('are answered in the words of the catalogue', async () => {
    const app = await serverWith()
    const origin = await listen(app)
    const requests = ['hello\r\n\r\n', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`]
    for (const bytes of requests) {
      const answer = await sendRaw(origin, bytes)
      expect(answer).to.match(/^HTTP\/1\.1 400 /)
      expect(answer).to.include('"message":"Invalid HTTP request headers"')
    }
    const pair = await sendRaw(
      origin,
      'POST /api/x/data HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    )
    expect(pair).to.match(/^HTTP\/1\.1 400 /)
    await app.close()
  })
})
