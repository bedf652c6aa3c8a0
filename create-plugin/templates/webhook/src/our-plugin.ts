import {
  anyAddress,
  definePlugin,
  OutboundClient,
  provide,
  publicAddresses,
  WebhookAddresses,
  type WebhookAnswer,
  WebhookPorts,
  type WebhookRequest,
  WebhookSender,
} from '@signed-registry/core'
import { Type } from 'typebox'

const TIMEOUT_MS = 20_000
const MAX_ANSWER_BYTES = 64 * 1024

/** Carries webhooks with one more header. Receivers, signatures, retries and the log are core's. */
class OurPluginWebhookSender implements WebhookSender {
  constructor(
    private readonly client: OutboundClient,
    private readonly more: Readonly<Record<string, string>>,
  ) {}

  /** Answers whatever status came, and rejects when none did. */
  async post({ url, headers, body, signal }: WebhookRequest): Promise<WebhookAnswer> {
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES, ifLarger: 'cut' } as const
    const answer = await this.client.send({ url, headers: { ...headers, ...this.more }, body, signal, ...limits })
    return { status: answer.status, retryAfter: answer.headers['retry-after'], body: answer.body.toString() }
  }

  close(): void {
    this.client.close()
  }
}

/** Plugin: webhooks by HTTP, into the networks and to the ports that the registry allows. */
export const ourPlugin = definePlugin({
  name: 'our-plugin',
  options: Type.Object(
    { header: Type.String({ pattern: '^[a-z-]+$' }), value: Type.String() },
    { additionalProperties: false },
  ),
  parts: ({ header, value }) => ({
    provides: [
      provide(WebhookSender, {
        inject: { addresses: WebhookAddresses, ports: WebhookPorts },
        make: ({ addresses, ports }) => {
          const guard = addresses === 'public' ? publicAddresses : anyAddress
          return new OurPluginWebhookSender(new OutboundClient({ guard, ports }), { [header]: value })
        },
        close: (sender) => (sender instanceof OurPluginWebhookSender ? sender.close() : undefined),
      }),
    ],
  }),
})
