import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { DevAuthorities } from '@signed-registry/dev-authorities'
import type { Answer } from './hostile-authorities.js'

/**
 * What goes wrong at an authority: the connection is cut; no answer ever comes; the answer trickles in without an end;
 * HTTP 500; a page instead of an answer; an honest answer under a wrong content type; a redirect; or an answer of the test's own.
 */
export type Fault = 'down' | 'silent' | 'endless' | 'failing' | 'rubbish' | 'wrongContentType' | 'redirect' | Answer

const SERVICES = {
  '/tsp': { asks: 'application/timestamp-query', answers: 'application/timestamp-reply' },
  '/ocsp': { asks: 'application/ocsp-request', answers: 'application/ocsp-response' },
} as const

type Path = keyof typeof SERVICES

/** TSA and OCSP responder over HTTP on a port of this machine, with faults that a test switches on and off. */
export class AuthorityServer {
  /** `undefined` while the service is well. */
  readonly faults: { tsp: Fault | undefined; ocsp: Fault | undefined } = { tsp: undefined, ocsp: undefined }
  /** Requests that have arrived. */
  readonly requests = { tsp: 0, ocsp: 0 }
  readonly authorities: DevAuthorities

  private constructor(
    private readonly server: Server,
    readonly tspUrl: string,
    readonly ocspUrl: string,
    make: (ocspUrl: string) => DevAuthorities,
  ) {
    this.authorities = make(ocspUrl)
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.serve(request, response).catch((error: Error) => response.destroy(error))
    })
  }

  /** Listens on a free port; `make` gives the authorities, whose certificates should name `ocspUrl`. */
  static async start(make: (ocspUrl: string) => DevAuthorities): Promise<AuthorityServer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return new AuthorityServer(server, `${origin}/tsp`, `${origin}/ocsp`, make)
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (!isService(path)) return void response.writeHead(404).end()
    const name = path === '/tsp' ? 'tsp' : 'ocsp'
    const { asks, answers } = SERVICES[path]
    this.requests[name] += 1
    const asked = await buffer(request)
    if (request.method !== 'POST' || request.headers['content-type'] !== asks) return void response.writeHead(400).end()
    const fault = this.faults[name]
    const honest = () => (name === 'tsp' ? this.authorities.tsa.respond(asked) : this.authorities.ocsp.respond(asked))
    if (fault === undefined) return void answer(response, answers, honest())
    if (typeof fault === 'function') return void answer(response, answers, fault(asked))
    misbehave(fault, response, honest)
  }
}

const isService = (path: string): path is Path => Object.hasOwn(SERVICES, path)

const answer = (response: ServerResponse, type: string, body: Buffer) =>
  response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body)

function misbehave(fault: Exclude<Fault, Answer>, response: ServerResponse, honest: () => Buffer): void {
  switch (fault) {
    case 'down':
      response.destroy()
      break
    case 'silent':
      break
    case 'endless':
      trickle(response.writeHead(200, { 'content-type': 'application/octet-stream' }))
      break
    case 'failing':
      response.writeHead(500, { 'content-type': 'text/plain' }).end('out of order')
      break
    case 'rubbish':
      answer(response, 'text/html', Buffer.from('<html>maintenance</html>'))
      break
    case 'wrongContentType':
      answer(response, 'text/html', honest())
      break
    case 'redirect':
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
      break
  }
}

function trickle(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 0x30)
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}
