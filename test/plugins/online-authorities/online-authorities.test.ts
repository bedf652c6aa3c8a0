import type { ServerResponse } from 'node:http'
import { defaultSignaturePolicy, provideValue, SignaturePolicy } from '@signed-registry/core'

import { expect } from 'chai'
import { Clock } from '#core/kernel/clock.js'
import { compose } from '#core/kernel/compose.js'
import { AuthorityUnavailable, StatusSource, TimestampSource, TrustStore } from '#core/signatures/ports.js'
import { onlineAuthorities } from '#online-authorities/online-authorities.js'
import { OnlineStatusSource, OnlineTimestampSource } from '#online-authorities/online-sources.js'
import { AuthorityServer, answerWith, type ReceivedRequest } from '../../support/authority-server.js'
import { testAuthorities, testClock } from '../../support/pki/authorities.js'

const REPLY = 'application/timestamp-reply'
const options = { signal: new AbortController().signal }

describe('online authorities', () => {
  const query = Buffer.from('a query')
  const open: { close(): unknown }[] = []
  const servers: AuthorityServer[] = []

  const serve = async (handle: (request: ReceivedRequest, response: ServerResponse) => void) => {
    const server = await AuthorityServer.start(handle)
    servers.push(server)
    return server
  }
  const source = (tspUrl: string, timeoutMs = 10_000) => {
    const made = new OnlineTimestampSource({ tspUrl, timeoutMs })
    open.push(made)
    return made
  }
  const failure = async (attempt: Promise<unknown>) => {
    const outcome = await attempt.then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(outcome).to.be.instanceOf(AuthorityUnavailable)
    const { reason, worthRetrying } = outcome as AuthorityUnavailable
    return `${reason}${worthRetrying ? ', worth retrying' : ''}`
  }

  afterEach(async () => {
    for (const one of open.splice(0)) one.close()
    await Promise.all(servers.splice(0).map((server) => server.stop()))
  })

  it('send a time-stamp query with its content type and give the reply', async () => {
    const server = await serve((_, response) => answerWith(response, `${REPLY}; charset=binary`, Buffer.from('reply')))
    const reply = await source(`${server.url}tsp?x=1`).timestamp(query, options)
    expect(Buffer.from(reply).toString()).to.equal('reply')
    const [request] = server.received
    expect(request).to.deep.include({ method: 'POST', url: '/tsp?x=1', body: query })
    expect(request?.headers).to.include({ 'content-type': 'application/timestamp-query', 'content-length': '7' })
  })

  it('send an OCSP request with its content type and give the response', async () => {
    const server = await serve((_, response) =>
      answerWith(response, 'application/ocsp-response', Buffer.from('status')),
    )
    const statuses = new OnlineStatusSource({ ocspUrl: server.url })
    open.push(statuses)
    expect(Buffer.from(await statuses.status(server.url, query, options)).toString()).to.equal('status')
    expect(server.received[0]?.headers['content-type']).to.equal('application/ocsp-request')
  })

  it('keep connections open between requests', async () => {
    const ports = new Set<unknown>()
    const server = await serve((_, response) => {
      ports.add(response.socket?.remotePort)
      answerWith(response, REPLY, query)
    })
    const tsp = source(server.url)
    for (let count = 0; count < 3; count += 1) await tsp.timestamp(query, options)
    expect(ports.size).to.equal(1)
  })

  describe('reject', () => {
    it('when nobody listens', async () => {
      const server = await AuthorityServer.start(() => {})
      await server.stop()
      expect(await failure(source(server.url).timestamp(query, options))).to.equal('unreachable, worth retrying')
    })

    it('when the connection breaks off', async () => {
      const server = await serve((_, response) => response.socket?.destroy())
      expect(await failure(source(server.url).timestamp(query, options))).to.equal('unreachable, worth retrying')
    })

    it('when the body is shorter than it was declared', async () => {
      const server = await serve((_, response) => {
        response.writeHead(200, { 'content-type': REPLY, 'content-length': 100 })
        response.write('short', () => response.socket?.destroy())
      })
      expect(await failure(source(server.url).timestamp(query, options))).to.equal('unreachable, worth retrying')
    })

    it('when no answer begins in time, or when it does not end in time', async () => {
      const silent = await serve(() => {})
      expect(await failure(source(silent.url, 30).timestamp(query, options))).to.equal('timeout')
      const endless = await serve((_, response) => {
        response.writeHead(200, { 'content-type': REPLY })
        response.write('a')
      })
      expect(await failure(source(endless.url, 30).timestamp(query, options))).to.equal('timeout')
    })

    it('when the caller has no time left', async () => {
      const server = await serve(() => {})
      const signal = AbortSignal.timeout(30)
      expect(await failure(source(server.url).timestamp(query, { signal }))).to.equal('timeout')
    })

    it('a status other than 200', async () => {
      const answering = async (status: number) => {
        const server = await serve((_, response) => response.writeHead(status, { 'content-type': REPLY }).end('x'))
        return failure(source(server.url).timestamp(query, options))
      }
      expect(await answering(404)).to.equal('httpStatus')
      expect(await answering(204)).to.equal('httpStatus')
      expect(await answering(503)).to.equal('httpStatus, worth retrying')
    })

    it('a redirect, without following it', async () => {
      const target = await serve((_, response) => answerWith(response, REPLY, query))
      const server = await serve((_, response) => response.writeHead(307, { location: target.url }).end())
      expect(await failure(source(server.url).timestamp(query, options))).to.equal('redirect')
      expect(target.received).to.have.length(0)
    })

    it('another content type, such as an error page', async () => {
      const server = await serve((_, response) => answerWith(response, 'text/html', Buffer.from('<h1>Error</h1>')))
      expect(await failure(source(server.url).timestamp(query, options))).to.equal('contentType')
      const untyped = await serve((_, response) => response.writeHead(200).end('x'))
      expect(await failure(source(untyped.url).timestamp(query, options))).to.equal('contentType')
    })

    it('an answer over 256 KiB, declared or not', async () => {
      const huge = Buffer.alloc(256 * 1024 + 1)
      const declared = await serve((_, response) => answerWith(response, REPLY, huge))
      expect(await failure(source(declared.url).timestamp(query, options))).to.equal('tooLarge')
      const chunked = await serve((_, response) => response.writeHead(200, { 'content-type': REPLY }).end(huge))
      expect(await failure(source(chunked.url).timestamp(query, options))).to.equal('tooLarge')
      const fits = await serve((_, response) => answerWith(response, REPLY, huge.subarray(1)))
      expect(await source(fits.url).timestamp(query, options)).to.have.length(256 * 1024)
    })
  })

  it('are a plugin that provides trust, time stamps and status', async () => {
    const authorities = testAuthorities()
    const trustAnchors = [...authorities.anchors, ...authorities.intermediates]
    const plugin = onlineAuthorities({ tspUrl: 'http://tsp.example/', tspPolicy: '1.2.3', trustAnchors })
    const own = [provideValue(Clock, testClock()), provideValue(SignaturePolicy, defaultSignaturePolicy)]
    const parts = compose([], [plugin, { name: 'test', provides: own }])
    expect(parts.get(TrustStore).trust().anchors).to.have.length(1)
    expect(parts.get(TimestampSource)).to.include({ url: 'http://tsp.example/', policy: '1.2.3' })
    expect(parts.get(StatusSource)).to.respondTo('urlFor')
    await parts.close()
  })

  it('name every wrong option at once', () => {
    const wrong = { tspUrl: 'ftp://tsp.example/', trustAnchors: [] }
    expect(() => onlineAuthorities(wrong)).to.throw(TypeError, /online-authorities: .*tspUrl.*trustAnchors/s)
  })
})
