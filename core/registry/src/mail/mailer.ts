import { port } from '../kernel/port.js'

/** A file attached to a mail. */
export interface MailAttachment {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A mail to one recipient. Its texts are arbitrary; the mailer encodes them. */
export interface MailMessage {
  /** One mailbox without a display name. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** `<…@host>`: unique for event and recipient, and the same for every attempt. */
  readonly messageId: string
  /** Further headers by their names, such as `List-Unsubscribe`. */
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly MailAttachment[]
  /** Aborted on timeout. */
  readonly signal: AbortSignal
}

/** The mail server's reply for one recipient (RFC 5321 section 4.2). */
export interface MailAnswer {
  /** 2xx: accepted. 4xx: try again later. 5xx: refused for good. */
  readonly code: number
  readonly text: string
}

/**
 * Sends mails; a registry without one sends none. Transport only: core decides on recipients, retries and unsubscribing. It
 * rejects when there is no reply for this recipient (no connection, TLS, login or sender refused), with a message for the
 * operator.
 */
export interface Mailer {
  send(message: MailMessage): Promise<MailAnswer>
}
export const Mailer = port<Mailer | undefined>('Mailer', 'defaulted')

/** Enhanced status codes for a mailbox that does not exist (RFC 3463). */
const NO_MAILBOX = /(^|\s)5\.(1\.(0|1|2|3|6|10)|2\.1)(?![.\d])/
const ENHANCED = /(^|\s)[245]\.\d{1,3}\.\d{1,3}(?![.\d])/
const NO_MAILBOX_CODES = new Set([550, 551, 553])

/** True for a reply that says that the address does not exist, rather than refusing this mail. */
export const meansNoMailbox = (text: string, code?: number): boolean =>
  NO_MAILBOX.test(text) || (code !== undefined && !ENHANCED.test(text) && NO_MAILBOX_CODES.has(code))
