import { port } from '../kernel/port.js'

/** One POST, signed and ready to go. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON in UTF-8. */
  readonly body: Uint8Array
  /** Aborted when the time for an answer is over. */
  readonly signal: AbortSignal
}

/** What the receiver answered, whatever it was. */
export interface WebhookAnswer {
  readonly status: number
  /** The header `Retry-After`, as it came. */
  readonly retryAfter?: string | undefined
  /** The beginning of the body. */
  readonly body: string
}

/**
 * Carries webhooks to the addresses of organizations; a registry without one makes none. It carries bytes alone: who is
 * told, signatures, repeats and the log are core's. It must follow no redirect, check addresses and ports again when it connects
 * (`WebhookAddresses`, `WebhookPorts`), and bound what it reads. It rejects when there is no answer, with a message for the organization.
 */
export interface WebhookSender {
  post(request: WebhookRequest): Promise<WebhookAnswer>
}
export const WebhookSender = port<WebhookSender | undefined>('WebhookSender', 'defaulted')

/** Which answers say that a webhook has arrived: 200 alone, as the specification has it, or any from 200 to 299. */
export type WebhookSuccess = '200' | '2xx'
export const WebhookSuccess = port<WebhookSuccess>('WebhookSuccess', 'defaulted')
