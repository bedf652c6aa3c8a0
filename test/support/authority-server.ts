import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as an authority received it. */
export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** An HTTP server on loopback that stands in for an authority; the handler decides how it behaves. */
export class AuthorityServer {
  readonly received: ReceivedRequest[] = []

  private constructor(
    private readonly server: Server,
    readonly host: string,
  ) {}

  static async start(handle: (request: ReceivedRequest, response: ServerResponse) => void): Promise<AuthorityServer> {
    let started: AuthorityServer | undefined
    const server = createServer(async (incoming, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const { method = '', url = '', headers } = incoming
      const request = { method, url, headers, body: Buffer.concat(chunks) }
      started?.received.push(request)
      handle(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    started = new AuthorityServer(server, `127.0.0.1:${(server.address() as AddressInfo).port}`)
    return started
  }

  get url(): string {
    return `http://${this.host}/`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** Answers 200 with a body of a type. */
export function answerWith(response: ServerResponse, contentType: string, body: Uint8Array): void {
  response.writeHead(200, { 'content-type': contentType, 'content-length': body.length }).end(body)
}
