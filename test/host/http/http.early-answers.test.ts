import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { connect as connectPlain, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { mock } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import type { Listener } from '#host/listen-for-systems.js'
import { listen, serverWith } from '../../support/api-scope.js'
import { openSocket, receivedBy } from '../../support/http.js'
import { onPath } from '../../support/programs.js'
import { openSystemsPort } from '../../support/systems.js'

const MIB = 2 ** 20
/** Larger than any JSON that is taken, and than what two kernels keep of a connection. */
const LARGE = 11 * MIB
const JSON_TYPE = 'application/json'

/** Refusals that need nothing of the body that comes with them. */
const REFUSALS = {
  'JSON that is too large': ['/api', JSON_TYPE, 413],
  'JSON of another type': ['/api', 'text/plain', 415],
  'a coded body': ['/api', `${JSON_TYPE}\r\nContent-Encoding: gzip`, 415],
  'an address that is not there': ['/api/nowhere/at/all', JSON_TYPE, 404],
  'an address beside the API': ['/nowhere', JSON_TYPE, 404],
  'a method that is not there': ['/api/count', JSON_TYPE, 405],
  'an original of another type': ['/api/x/data', 'text/plain', 415],
} as const

describe('the answer to a request whose body is still arriving', () => {
  let app: FastifyInstance
  let systems: Listener
  let folder: string
  let origin: string
  let systemsOrigin: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-early-'))
    app = await serverWith({}, { limits: { json: 10 * MIB, upload: 64 * MIB } })
    origin = await listen(app)
    systems = await openSystemsPort(app, folder)
    systemsOrigin = `https://127.0.0.1:${systems.port}`
  })
  after(async () => {
    await systems.close()
    await app.close()
    rmSync(folder, { recursive: true })
  })

  /** Sends all of it before anything is read, then gives all that came until the connection closed. */
  async function afterSending(url: string, head: string, pieces: Iterable<Uint8Array>): Promise<string> {
    const { hostname, port, protocol } = new URL(url)
    const to = { host: hostname, port: Number(port) }
    const isTls = protocol === 'https:'
    const socket: Socket = isTls ? connectTls({ ...to, rejectUnauthorized: false }) : connectPlain(to)
    socket.on('error', () => undefined)
    await once(socket, isTls ? 'secureConnect' : 'connect')
    socket.pause()
    socket.write(`${head}\r\n\r\n`)
    for (const piece of pieces) {
      await new Promise((resolve) => socket.write(piece, resolve))
      if (socket.destroyed) return 'broken off'
    }
    const answer = receivedBy(socket)
    socket.resume()
    return answer
  }
  function* pieces(size: number) {
    const piece = Buffer.alloc(MIB, 'a')
    for (let sent = 0; sent < size; sent += MIB) yield piece.subarray(0, Math.min(MIB, size - sent))
  }
  function* chunks(size: number) {
    for (const piece of pieces(size)) {
      yield Buffer.from(`${piece.length.toString(16)}\r\n`)
      yield piece
      yield Buffer.from('\r\n')
    }
    yield Buffer.from('0\r\n\r\n')
  }
  const problemIn = (answer: string) => JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n')))

  for (const [title, [path, type, status]] of Object.entries(REFUSALS)) {
    it(`arrives at who reads it when all is sent: ${title}`, async () => {
      const ask = (more: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${more}`
      const sized = `Content-Length: ${LARGE}`
      for (const url of [origin, systemsOrigin]) {
        const answers = [
          await afterSending(url, ask(`Connection: close\r\n${sized}`), pieces(LARGE)),
          await afterSending(url, ask(`Expect: 100-continue\r\nConnection: close\r\n${sized}`), pieces(LARGE)),
        ]
        if (status !== 404 && !path.endsWith('data'))
          answers.push(await afterSending(url, ask('Transfer-Encoding: chunked'), chunks(LARGE)))
        for (const answer of answers) {
          expect(answer.match(/HTTP\/1\.1 [2-5]\d\d/g), url).to.deep.equal([`HTTP/1.1 ${status}`])
          expect(problemIn(answer)).to.include.keys('message', 'requestID')
        }
      }
    })
  }

  it('leaves a connection that serves the next request, where the body has a size', async () => {
    for (const [path, type, status] of Object.values(REFUSALS)) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${LARGE}`
      const next = 'GET /api/count?count=7 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
      const answer = await afterSending(origin, head, [...pieces(LARGE), Buffer.from(next)])
      expect(answer.match(/HTTP\/1\.1 \d+/g), path).to.deep.equal([`HTTP/1.1 ${status}`, 'HTTP/1.1 200'])
      expect(answer).to.include('{"count":7}')
    }
  })

  it('arrives at fetch, node:http and curl, with and without Content-Length', async () => {
    const body = Buffer.alloc(LARGE, 'a')
    const headers = { 'content-type': JSON_TYPE }
    const byFetch = async (more: object) =>
      (await fetch(`${origin}/api`, { method: 'POST', headers, duplex: 'half', ...more } as RequestInit)).status
    const byNode = (url: string, more: object) =>
      new Promise((resolve, reject) => {
        const { request } = url.startsWith('https:') ? https : http
        const options = { method: 'POST', headers: { ...headers, ...more }, rejectUnauthorized: false }
        const sent = request(`${url}/api`, options, (answer) => resolve(answer.resume().statusCode))
        sent.on('error', reject).end(body)
      })
    const curl = onPath('curl')
    const byCurl = async (...more: string[]) => {
      const args = [
        '-s',
        '-o',
        join(folder, 'answer'),
        '-w',
        '%{http_code}',
        '-H',
        `content-type: ${JSON_TYPE}`,
        ...more,
      ]
      const child = spawn(curl ?? '', [...args, '--data-binary', '@-', `${origin}/api`])
      child.stdin.on('error', () => undefined)
      child.stdin.end(body)
      return Number(await text(child.stdout))
    }
    for (let count = 0; count < 2; count += 1) {
      expect(await byFetch({ body })).to.equal(413)
      expect(await byFetch({ body: Readable.toWeb(Readable.from(chunked(body))) })).to.equal(413)
      for (const url of [origin, systemsOrigin]) {
        expect(await byNode(url, { 'content-length': LARGE })).to.equal(413)
        expect(await byNode(url, { 'transfer-encoding': 'chunked' })).to.equal(413)
      }
      if (curl === undefined) continue
      expect(await byCurl()).to.equal(413)
      expect(await byCurl('-H', 'expect:')).to.equal(413)
      expect(await byCurl('-H', 'expect:', '-H', 'transfer-encoding: chunked')).to.equal(413)
      expect(await byCurl('-0')).to.equal(413)
    }
  })

  it('reaches a client that needs half a minute to send all of it', async () => {
    const began = performance.now()
    let later = 0
    mock.method(performance, 'now', () => began + later)
    const intervals = mock.method(globalThis, 'setInterval')
    try {
      const own = await serverWith()
      const socket = await openSocket(await listen(own))
      const answer = receivedBy(socket)
      const size = `Content-Length: ${MIB}\r\nConnection: close`
      socket.write(`POST /nowhere HTTP/1.1\r\nHost: x\r\n${size}\r\n\r\n`)
      await once(socket, 'data')
      later = 29_000
      for (const { arguments: called } of intervals.mock.calls) called[0]?.()
      for (const piece of pieces(MIB)) socket.write(piece)
      expect(await answer).to.match(/^HTTP\/1\.1 404 /)
      expect(socket.errored).to.equal(null)
      await own.close()
    } finally {
      mock.restoreAll()
    }
  })

  it('says that it is the last one where so much is declared that the rest is left unread, and arrives', async () => {
    const declared = 2 ** 40
    const own = await serverWith({}, { pace: { grace: 400, bytesPerSecond: 1 } })
    const socket = await openSocket(await listen(own))
    const answer = receivedBy(socket)
    socket.write(`POST /api HTTP/1.1\r\nHost: x\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${declared}\r\n\r\n`)
    const piece = Buffer.alloc(MIB, 'a')
    let taken = 0
    const flow = () => {
      socket.write(piece, (error) => {
        if (error) return
        taken += 1
        flow()
      })
    }
    flow()
    expect(await answer).to.match(/^HTTP\/1\.1 413 [\s\S]*\r\nconnection: close\r\n/i)
    await own.close()
    // What the kernels keep of a connection, and what came before it was told to stop.
    expect(taken).to.be.below(64)
  })

  it('is the last one that a connection gets which asked for that, whatever comes behind the body', async () => {
    const head = `POST /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${LARGE}`
    const next = Buffer.from('GET /api/count HTTP/1.1\r\nHost: x\r\n\r\n')
    const answer = await afterSending(origin, head, [...pieces(LARGE), next])
    expect(answer.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 404'])
  })
})

function* chunked(body: Buffer) {
  for (let at = 0; at < body.length; at += MIB) yield body.subarray(at, at + MIB)
}
