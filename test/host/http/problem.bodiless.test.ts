import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import type { Listener } from '#host/listen-for-systems.js'
import { listen, serverWith } from '../../support/api-scope.js'
import { receivedBy, sendRaw } from '../../support/http.js'
import { openSystemsPort } from '../../support/systems.js'

/** Requests that Node would answer without a body, or not at all. */
const REQUESTS = {
  'that is none': ['hello\r\n\r\n', 400],
  'of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  'without Host': ['GET /api/count HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  'of the method CONNECT': ['CONNECT example.kz:443 HTTP/1.1\r\nHost: example.kz:443\r\n\r\n', 400],
  'with a head that is too large': [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(300_000)}\r\n\r\n`, 400],
  'with two lengths': [
    `POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n${'a'.repeat(300_000)}`,
    400,
  ],
  'to an address that is none': ['GET /api/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
} as const

describe('a failure is a JSON object with message and requestID', () => {
  let app: FastifyInstance
  let systems: Listener
  let folder: string
  let origin: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-failures-'))
    app = await serverWith()
    origin = await listen(app)
    systems = await openSystemsPort(app, folder)
  })
  after(async () => {
    await systems.close()
    await app.close()
    rmSync(folder, { recursive: true })
  })
  const overTls = (bytes: string) => {
    const socket = connect({ host: '127.0.0.1', port: systems.port, rejectUnauthorized: false })
    socket.write(bytes)
    return receivedBy(socket)
  }

  for (const [title, [bytes, status]] of Object.entries(REQUESTS)) {
    it(`of a request ${title}, on both ports`, async () => {
      for (const answer of [await sendRaw(origin, bytes), await overTls(bytes)]) {
        const [head = '', body = ''] = answer.split('\r\n\r\n')
        expect(head).to.match(new RegExp(`^HTTP/1\\.1 ${status} `))
        expect(JSON.parse(body)).to.include.keys('message', 'requestID')
        expect(answer.match(/HTTP\/1\.1 /g)).to.have.length(1)
      }
    })
  }

  it('and an expectation that nobody knows is none: the request is served', async () => {
    const bytes = 'GET /api/count?count=1 HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n'
    for (const answer of [await sendRaw(origin, bytes), await overTls(bytes)])
      expect(answer).to.match(/^HTTP\/1\.1 200 [\s\S]*\{"count":1\}$/)
  })

  it('and never opens a tunnel, whatever status failures have', async () => {
    const own = await serverWith({}, { errorsStatus: 'always-200' })
    const url = await listen(own)
    expect(await sendRaw(url, REQUESTS['of the method CONNECT'][0])).to.match(/^HTTP\/1\.1 400 /)
    expect(await sendRaw(url, REQUESTS['that is none'][0])).to.match(/^HTTP\/1\.1 200 /)
    await own.close()
  })

  it('but for HEAD, whose answers have no body (RFC 9110, 9.3.2)', async () => {
    const answer = await new Promise<string>((resolve, reject) =>
      httpsRequest(`https://127.0.0.1:${systems.port}/api/nowhere/at/all`, {
        method: 'HEAD',
        rejectUnauthorized: false,
      })
        .on('response', (response) => text(response).then((body) => resolve(`${response.statusCode}${body}`), reject))
        .on('error', reject)
        .end(),
    )
    expect(answer).to.equal('404')
  })
})
