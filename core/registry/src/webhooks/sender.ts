import { port } from '../kernel/port.js'

/** A signed POST request. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON in UTF-8. */
  readonly body: Uint8Array
  /** Aborted on timeout. */
  readonly signal: AbortSignal
}

/** The receiver's answer, whatever its status. */
export interface WebhookAnswer {
  readonly status: number
  /** The raw `Retry-After` header. */
  readonly retryAfter?: string | undefined
  /** The beginning of the body. */
  readonly body: string
}

/**
 * Sends webhooks; a registry without one sends none. Transport only: recipients, signatures, retries and the log are core's. It
 * must follow no redirects, check addresses and ports again on connecting (`WebhookAddresses`, `WebhookPorts`) and bound what it
 * reads. It rejects when there is no answer, with a message for the organization.
 */
export interface WebhookSender {
  post(request: WebhookRequest): Promise<WebhookAnswer>
}
export const WebhookSender = port<WebhookSender | undefined>('WebhookSender', 'defaulted')

/** Status codes of a successful webhook: only 200, as the specification says, or any from 200 to 299. */
export type WebhookSuccess = '200' | '2xx'
export const WebhookSuccess = port<WebhookSuccess>('WebhookSuccess', 'defaulted')
