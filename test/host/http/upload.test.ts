import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { Upload } from '@signed-registry/core'

import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import { listen, serverWith } from '../../support/api-scope.js'
import { openSocket, postBytes, receivedBy, request, sendRaw } from '../../support/http.js'

/** Waits for the end of a connection, however it ends. */
const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

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

  it('frees the memory of chunks that were read, once they are released', async () => {
    const seen: [before: number, after: number][] = []
    const releasing = await serverWith({
      take: async ({ size, stream }: Upload) => {
        for await (const chunk of stream) {
          const { length } = chunk
          stream.release?.(chunk)
          seen.push([length, chunk.length])
        }
        return { size }
      },
    })
    try {
      await postBytes(`${await listen(releasing)}/api/x/data`, new Uint8Array(2 ** 21))
    } finally {
      await releasing.close()
    }
    const large = seen.filter(([before]) => before >= 16_384)
    expect(large).not.to.have.length(0)
    expect(large.every(([, after]) => after === 0)).to.equal(true)
  })

  it('may be empty', async () => {
    expect((await postBytes(`${origin}/api/x/data`, new Uint8Array())).json).to.include({ size: 0, bytes: 0 })
  })

  it('is taken whether it comes with its request or after it, and the connection serves the next one', async () => {
    const socket = await openSocket(origin)
    const answers = receivedBy(socket)
    const head =
      'POST /api/x/data HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 4\r\n'
    const [whole, begun] = [once(socket, 'data'), once(app.server, 'request')]
    socket.write(`${head}\r\nfour`)
    await Promise.all([whole, begun])
    const [parts, second] = [once(socket, 'data'), once(app.server, 'request')]
    socket.write(`${head}\r\nfo`)
    await second
    socket.write('ur')
    await parts
    socket.write(`${head}Connection: close\r\n\r\nfour`)
    expect((await answers).match(/"size":4,"bytes":4/g)).to.have.lengthOf(3)
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

  it('that was refused is drained, and the connection serves the next request', async () => {
    const socket = await openSocket(origin)
    const refused = once(socket, 'data')
    const answers = receivedBy(socket)
    const head = (type: string) => `POST /api/x/data HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n`
    socket.write(`${head('text/plain')}Content-Length: 100001\r\n\r\na`)
    await refused
    socket.write('b'.repeat(100_000))
    socket.write(`${head('application/octet-stream')}Connection: close\r\nContent-Length: 1\r\n\r\nc`)
    expect((await answers).match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 415', 'HTTP/1.1 200'])
  })

  it('that was refused without a declared size is drained, and is the last one of its connection', async () => {
    const socket = await openSocket(origin)
    const refused = once(socket, 'data')
    const answers = receivedBy(socket)
    const head = 'POST /api/x/data HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n'
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`)
    await refused
    expect(await answers).to.match(/^HTTP\/1\.1 400 [\s\S]*\r\nconnection: close\r\n/i)
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
      expect(answer.json, type).to.include({ message: 'Invalid HTTP request headers', code: 'unsupportedMediaType' })
      expect(answer.json.details).to.deep.equal({ expected: 'application/octet-stream' })
      expect(answer.status).to.equal(415)
    }
  })

  it('is not the JSON {}, which would be an empty original', async () => {
    const headers = { 'content-type': 'application/json' }
    const { status, json } = await request(`${origin}/api/x/data`, { method: 'POST', headers, body: '{}' })
    expect([status, json.code]).to.deep.equal([415, 'unsupportedMediaType'])
  })

  it('is taken as it is: a content coding is refused before any of it is read', async () => {
    const head =
      'POST /api/x/data HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/octet-stream\r\n'
    for (const coding of ['gzip', 'identity, br', 'x-anything']) {
      const answer = await sendRaw(origin, `${head}Content-Encoding: ${coding}\r\nContent-Length: 4\r\n\r\n`)
      expect(answer, coding).to.match(/^HTTP\/1\.1 415 [\s\S]*\r\naccept-encoding: identity\r\n/)
      expect(answer).to.include('"code":"unsupportedMediaType","details":{"expected":"identity"}')
    }
    const plain = await sendRaw(origin, `${head}Content-Encoding: Identity\r\nContent-Length: 4\r\n\r\nfour`)
    expect(plain).to.match(/^HTTP\/1\.1 200 /)
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

  it('is cut off when it arrives too slowly', async () => {
    const impatient = await serverWith({ take }, { pace: { grace: 200, bytesPerSecond: 2 ** 30 } })
    const socket = await openSocket(await listen(impatient))
    socket.write(
      'POST /api/x/data HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 10\r\n\r\nabc',
    )
    socket.on('error', () => undefined)
    socket.resume()
    await closed(socket)
    await impatient.close()
    expect(failures[0]).to.include({ code: 'processedSizeDiffers' })
  })

  it('is cut off when it trickles, however much it declares', async () => {
    const impatient = await serverWith({ take }, { pace: { grace: 200, bytesPerSecond: 1000 } })
    const socket = await openSocket(await listen(impatient))
    socket.on('error', () => undefined)
    socket.resume()
    socket.write(
      `POST /api/x/data HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: ${2 ** 24}\r\n\r\n`,
    )
    const drip = setInterval(() => socket.write('a'), 10)
    await closed(socket)
    clearInterval(drip)
    await impatient.close()
    expect(failures[0]).to.include({ code: 'processedSizeDiffers' })
  })

  it('is cut off at unknown routes, too', async () => {
    const impatient = await serverWith({ take }, { pace: { grace: 200, bytesPerSecond: 1000 } })
    const socket = await openSocket(await listen(impatient))
    socket.on('error', () => undefined)
    socket.resume()
    socket.write(
      'POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{',
    )
    const drip = setInterval(() => socket.write(' '), 10)
    await closed(socket)
    clearInterval(drip)
    await impatient.close()
  })

  it('does not go on for long when nobody reads it', async () => {
    const own = await serverWith(
      { take: async () => ({ read: 'nothing' }) },
      { pace: { grace: 200, bytesPerSecond: 1 } },
    )
    const socket = await openSocket(await listen(own))
    socket.on('error', () => undefined)
    socket.write(
      `POST /api/x/data HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: ${2 ** 24}\r\n\r\n`,
    )
    const flow = setInterval(() => socket.write('a'.repeat(100)), 10)
    const answer = await receivedBy(socket)
    clearInterval(flow)
    await own.close()
    expect(answer).to.include('{"read":"nothing"}')
  })

  it('is limited in number, for one address and in total', async () => {
    for (const [uploads, details, ...expected] of [
      [{ stranger: 2 }, { resource: 'uploads', retryAfter: 5, limit: 2 }, 429, 'shareTaken'],
      [{ strangers: 2 }, { resource: 'uploads', retryAfter: 5 }, 503, 'serviceBusy'],
      [{ whole: 2 }, { resource: 'uploads', retryAfter: 5 }, 503, 'serviceBusy'],
    ] as const) {
      const own = await serverWith({ take }, {}, { uploads })
      const url = await listen(own)
      const begin = async () => {
        const socket = await openSocket(url)
        socket.on('error', () => undefined)
        const begun = once(own.server, 'request')
        socket.write(
          'POST /api/x/data HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 4\r\n\r\nab',
        )
        await begun
        return socket
      }
      const first = await begin()
      const second = await begin()
      const refused = await postBytes(`${url}/api/x/data`, new Uint8Array(4))
      expect([refused.status, refused.json.code]).to.deep.equal(expected)
      expect([refused.json.details, refused.headers.get('retry-after')]).to.deep.equal([details, '5'])
      const answered = once(first, 'data')
      first.write('cd')
      expect(String(await answered)).to.match(/^HTTP\/1\.1 200 /)
      expect((await postBytes(`${url}/api/x/data`, new Uint8Array(4))).status).to.equal(200)
      for (const socket of [first, second]) socket.destroy()
      await own.close()
    }
  })

  it('is forgotten with its connection, also when it waits behind another one', async () => {
    const own = await serverWith({ take }, {}, { uploads: { stranger: 2 } })
    const url = await listen(own)
    const accepted = once(own.server, 'connection')
    const socket = await openSocket(url)
    const [server]: Socket[] = await accepted
    const upload =
      'POST /api/x/data HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 4\r\n\r\n'
    const asked = once(own.server, 'request')
    socket.write(`GET /api/count HTTP/1.1\r\nHost: x\r\n\r\n${upload}abcd${upload}ab`)
    await asked
    const gone = closed(server ?? socket)
    socket.destroy()
    await gone
    for (let count = 0; count < 3; count += 1)
      expect((await postBytes(`${url}/api/x/data`, new Uint8Array(4))).status).to.equal(200)
    await own.close()
  })

  it('can be answered although it was not read to its end', async () => {
    const own = await serverWith({ take: async () => ({ read: 'nothing' }) })
    const answer = await postBytes(`${await listen(own)}/api/x/data`, new Uint8Array(2 ** 22))
    expect(answer.json).to.deep.equal({ read: 'nothing' })
    await own.close()
  })
})

describe('bytes that are no HTTP request', () => {
  it('are answered with an error of the catalogue', async () => {
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
