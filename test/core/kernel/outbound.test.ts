import type { LookupAddress } from 'node:dns'
import { mkdtempSync, rmSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import {
  anyAddress,
  OutboundClient,
  OutboundError,
  type OutboundOptions,
  type OutboundRequest,
  publicAddresses,
} from '@signed-registry/core'

import { localCertificate } from '@signed-registry/dev-authorities'
import { expect } from 'chai'

const KIB = 1024

describe('outbound HTTP', () => {
  let server: http.Server
  let port: number
  let connections: number
  let handle: http.RequestListener
  const clients: OutboundClient[] = []

  before(async () => {
    server = http.createServer((request, response) => handle(request, response))
    server.on('connection', () => {
      connections += 1
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    connections = 0
    handle = (request, response) => {
      request.resume().on('end', () => response.end(`${request.method} ${request.headers['content-length']}`))
    }
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
  })

  const client = (options: Partial<OutboundOptions> = {}) => {
    const made = new OutboundClient({ guard: anyAddress, ...options })
    clients.push(made)
    return made
  }
  const request = (fields: Partial<OutboundRequest> = {}): OutboundRequest => ({
    url: `http://127.0.0.1:${port}/`,
    body: Buffer.from('hello'),
    timeoutMs: 5000,
    maxBytes: KIB,
    ifLarger: 'refuse',
    ...fields,
  })
  const reasonOf = async (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'answered',
      (error: unknown) => (error instanceof OutboundError ? error.reason : error),
    )

  it('returns answers of any status, and keeps the connection for the next request', async () => {
    const one = client()
    for (let n = 0; n < 3; n += 1) {
      const answer = await one.send(request())
      expect([answer.status, answer.body.toString()]).to.deep.equal([200, 'POST 5'])
    }
    expect(connections).to.equal(1)
  })

  it('does not follow redirects', async () => {
    let asked = 0
    handle = (_request, response) => {
      asked += 1
      response.writeHead(302, { location: `http://127.0.0.1:${port}/elsewhere` }).end()
    }
    expect((await client().send(request())).status).to.equal(302)
    expect(asked).to.equal(1)
  })

  it('aborts an exchange that takes too long, wherever it hangs', async () => {
    handle = () => undefined
    expect(await reasonOf(client().send(request({ timeoutMs: 50 })))).to.equal('timeout')
    handle = (_request, response) => void response.writeHead(200).write('begun')
    expect(await reasonOf(client().send(request({ timeoutMs: 50 })))).to.equal('timeout')
    const lookup = (() => undefined) as unknown as NonNullable<OutboundOptions['lookup']>
    const named = { url: `http://registry.example:${port}/`, timeoutMs: 50 }
    expect(await reasonOf(client({ lookup }).send(request(named)))).to.equal('timeout')
  })

  it('aborts when its caller does', async () => {
    const caller = new AbortController()
    handle = () => caller.abort()
    expect(await reasonOf(client().send(request({ signal: caller.signal })))).to.equal('timeout')
    expect(await reasonOf(client().send(request({ signal: AbortSignal.abort() })))).to.equal('timeout')
  })

  for (const announced of [true, false]) {
    it(`refuses a body that is too large, or cuts it; ${announced ? 'announced' : 'endless'}`, async () => {
      handle = (_request, response) => {
        if (announced)
          return void response.writeHead(200, { 'content-length': 10 * KIB }).end(Buffer.alloc(10 * KIB, 'a'))
        const more = () => {
          while (response.write(Buffer.alloc(KIB, 'a')));
        }
        response.on('drain', more)
        more()
      }
      expect(await reasonOf(client().send(request()))).to.equal('tooLarge')
      const cut = await client().send(request({ ifLarger: 'cut' }))
      expect(cut.body.toString()).to.equal('a'.repeat(KIB))
    })
  }

  it('says so when nobody answers', async () => {
    handle = (incoming) => void incoming.socket.destroy()
    expect(await reasonOf(client().send(request()))).to.equal('unreachable')
    expect(await reasonOf(client().send(request({ url: 'http://127.0.0.1:1/' })))).to.equal('unreachable')
  })

  for (const url of ['ftp://127.0.0.1/', 'file:///etc/passwd', 'nonsense', 'http://user:password@127.0.0.1/']) {
    it(`refuses the address ${url}`, async () => {
      expect(await reasonOf(client().send(request({ url })))).to.equal('badAddress')
    })
  }

  it('connects to allowed ports only, and looks no name up for others', async () => {
    const url = `http://127.0.0.1:${port}/`
    handle = (_request, response) => void response.writeHead(200).end()
    for (const ports of [[], [443, 80], [port + 1]]) {
      expect(await reasonOf(client({ ports }).send(request({ url })))).to.equal('forbiddenPort')
      const name = request({ url: `http://nowhere.invalid:${port}/` })
      expect(await reasonOf(client({ ports }).send(name))).to.equal('forbiddenPort')
    }
    expect(connections).to.equal(0)
    for (const ports of ['any', [port]] as const)
      expect((await client({ ports }).send(request({ url }))).status).to.equal(200)
    // An address without a port has that of its scheme.
    for (const [scheme, forbidden] of [
      ['http', 443],
      ['https', 80],
    ] as const)
      expect(await reasonOf(client({ ports: [forbidden] }).send(request({ url: `${scheme}://127.0.0.1/` })))).to.equal(
        'forbiddenPort',
      )
  })

  describe('to public addresses only', () => {
    const hosts = ['127.0.0.1', '0177.1', '2130706433', '10.0.0.1', '192.168.1.12', '169.254.169.254', '0.0.0.0']
    for (const host of [...hosts, '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[fe80::1]']) {
      it(`never connects to ${host}`, async () => {
        const attempt = client({ guard: publicAddresses }).send(request({ url: `http://${host}:${port}/` }))
        expect(await reasonOf(attempt)).to.equal('forbiddenAddress')
        expect(connections).to.equal(0)
      })
    }

    /** Answers lookups with those of a test, one after the other. */
    const resolver = (...answers: string[][]) => {
      let asked = 0
      const lookup = (_host: string, _options: object, done: (error: null, found: LookupAddress[]) => void) => {
        const answer = answers[Math.min(asked, answers.length - 1)] ?? []
        asked += 1
        done(
          null,
          answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )
      }
      return lookup as unknown as NonNullable<OutboundOptions['lookup']>
    }

    for (const answer of [['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['93.184.216.34', '127.0.0.1']]) {
      it(`never connects to a name of ${answer.join(' and ')}`, async () => {
        const one = client({ guard: publicAddresses, lookup: resolver(answer) })
        const attempt = one.send(request({ url: `http://registry.example:${port}/` }))
        expect(await reasonOf(attempt)).to.equal('forbiddenAddress')
        expect(connections).to.equal(0)
      })
    }

    it('looks a name up again for every connection', async () => {
      // The guard of this test takes loopback for a public address: the name moves from there to a private one.
      const guard = (address: string) => address === '127.0.0.1'
      const one = client({ guard, lookup: resolver(['127.0.0.1'], ['10.0.0.1']) })
      handle = (_request, response) => void response.writeHead(200, { connection: 'close' }).end()
      const url = `http://registry.example:${port}/`
      expect((await one.send(request({ url }))).status).to.equal(200)
      expect(await reasonOf(one.send(request({ url })))).to.equal('forbiddenAddress')
    })
  })

  it('sends a client certificate to a server that asks for one, and trusts the given certificates only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outbound-'))
    const pair = localCertificate(folder)
    const secure = https.createServer(
      { ...pair, requestCert: true, rejectUnauthorized: false, minVersion: 'TLSv1.3' },
      (incoming, response) => {
        response.end((incoming.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? 'none')
      },
    )
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    const url = `https://localhost:${(secure.address() as AddressInfo).port}/`
    try {
      expect(await reasonOf(client().send(request({ url })))).to.equal('unreachable')
      const one = client({ trust: pair.cert, clientCertificate: pair })
      expect((await one.send(request({ url }))).body.toString()).to.match(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
      expect((await client({ trust: pair.cert }).send(request({ url }))).body.toString()).to.equal('none')
    } finally {
      secure.closeAllConnections()
      secure.close()
      rmSync(folder, { recursive: true })
    }
  })
})
