import * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A webhook as it came. */
export interface ReceivedWebhook {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
  readonly body: Record<string, unknown>
}

/** A receiver of webhooks on loopback, which answers as a test says. */
export class WebhookSink {
  readonly got: ReceivedWebhook[] = []
  answer: (webhook: ReceivedWebhook, response: http.ServerResponse) => void = (_webhook, response) => response.end()
  private readonly waiting: { readonly count: number; readonly resolve: () => void }[] = []

  private constructor(
    private readonly server: http.Server,
    readonly url: string,
  ) {}

  static async start(tls?: https.ServerOptions): Promise<WebhookSink> {
    const server = tls === undefined ? http.createServer() : https.createServer(tls)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const sink = new WebhookSink(server, tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`)
    server.on('request', async (request: http.IncomingMessage, response: http.ServerResponse) => {
      const sent = await text(request)
      const webhook = { path: request.url ?? '', headers: request.headers, text: sent, body: JSON.parse(sent) }
      sink.got.push(webhook)
      for (const { count, resolve } of sink.waiting) if (sink.got.length >= count) resolve()
      sink.answer(webhook, response)
    })
    return sink
  }

  /** Resolves when so many have come. */
  async came(count: number): Promise<void> {
    if (this.got.length < count) await new Promise<void>((resolve) => this.waiting.push({ count, resolve }))
  }

  /** What came to a path, as its body. */
  at = (path: string) => this.got.filter((webhook) => webhook.path === path).map(({ body }) => body)

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
