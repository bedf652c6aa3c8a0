import {
  anyAddress,
  CertificatesInUse,
  ClientCertificate,
  ClientCertificateOptions,
  definePlugin,
  OutboundClient,
  OutboundError,
  type OutboundFailure,
  provide,
  provideValue,
  publicAddresses,
  Reloadable,
  WebhookAddresses,
  type WebhookAnswer,
  WebhookPorts,
  type WebhookRequest,
  WebhookSender,
} from '@signed-registry/core'
import { type Static, Type } from 'typebox'

const Pem = Type.String({ pattern: '-----BEGIN ' })

/** Options of `webhookHttp`. */
export const WebhookHttpOptions = Type.Object(
  {
    /** For receivers that require a client certificate. */
    clientCertificate: Type.Optional(ClientCertificateOptions),
    /** Certificates that receivers are trusted by, in place of those of Node. */
    trust: Type.Optional(Pem),
    /** For one exchange, milliseconds; 20 seconds where not given. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 25_000 })),
  },
  { additionalProperties: false },
)
export type WebhookHttpOptions = Static<typeof WebhookHttpOptions>

const TIMEOUT_MS = 20_000
/** Bytes of a response that are read. */
const MAX_ANSWER = 64 * 1024

/** Plugin: webhooks by HTTP, into the networks that `WebhookAddresses` allows, to the ports of `WebhookPorts`. */
export const webhookHttp = definePlugin({
  name: 'webhook-http',
  options: WebhookHttpOptions,
  parts: ({ clientCertificate, ...options }) => {
    const shown = clientCertificate && new ClientCertificate('webhook client', clientCertificate)
    return {
      provides: [
        ...(shown ? [provideValue(Reloadable, shown), provideValue(CertificatesInUse, shown)] : []),
        provide(WebhookSender, {
          inject: { addresses: WebhookAddresses, ports: WebhookPorts },
          make: (allowed) => new HttpWebhookSender(allowed, options, shown),
          close: (sender) => sender?.close(),
        }),
      ],
    }
  },
})

class HttpWebhookSender implements WebhookSender {
  private readonly client: OutboundClient
  private readonly timeoutMs: number

  constructor(
    { addresses, ports }: { readonly addresses: WebhookAddresses; readonly ports: WebhookPorts },
    { trust, timeoutMs = TIMEOUT_MS }: Omit<WebhookHttpOptions, 'clientCertificate'>,
    clientCertificate: ClientCertificate | undefined,
  ) {
    this.client = new OutboundClient({
      guard: addresses === 'public' ? publicAddresses : anyAddress,
      ports,
      clientCertificate,
      trust,
    })
    this.timeoutMs = timeoutMs
  }

  async post({ url, headers, body, signal }: WebhookRequest): Promise<WebhookAnswer> {
    const limits = { timeoutMs: this.timeoutMs, maxBytes: MAX_ANSWER, ifLarger: 'cut' } as const
    const answer = await this.client.send({ url, headers: { ...headers }, body, signal, ...limits }).catch(explain)
    return { status: answer.status, retryAfter: answer.headers['retry-after'], body: answer.body.toString() }
  }

  close(): void {
    this.client.close()
  }
}

const EXPLANATIONS: Readonly<Record<OutboundFailure, string>> = {
  badAddress: 'This is no address of HTTP',
  forbiddenAddress: 'The address leads into a private network',
  forbiddenPort: 'The address leads to a port that is not allowed',
  unreachable: 'The connection failed',
  timeout: 'No answer in time',
  tooLarge: 'The answer is too large',
}

/** Details of a connection could reveal our network: organizations see only the kind of failure. */
function explain(error: unknown): never {
  throw new Error(error instanceof OutboundError ? EXPLANATIONS[error.reason] : 'The connection failed', {
    cause: error,
  })
}
