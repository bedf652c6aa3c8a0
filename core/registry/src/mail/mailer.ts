import { port } from '../kernel/port.js'

/** A file that goes with a mail. */
export interface MailAttachment {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A mail to one recipient. Every part of it is text that may be anything: the mailer encodes it. */
export interface MailMessage {
  /** One mailbox without a display name. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Unique for what is told to whom, and the same for every attempt: `<…@host>`. */
  readonly messageId: string
  /** Further headers by their names, such as `List-Unsubscribe`. */
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly MailAttachment[]
  /** Aborted when the time for an answer is over. */
  readonly signal: AbortSignal
}

/** What the mail server said of one recipient: the code of its reply (RFC 5321 section 4.2) and its text. */
export interface MailAnswer {
  /** 2xx: the mail is the server's now. 4xx: again later. 5xx: never for this recipient. */
  readonly code: number
  readonly text: string
}

/**
 * Carries mails; a registry without one makes none. It carries bytes alone: who is told of what, repeats and refusals are
 * core's. It rejects when the server did not answer for this recipient: no connection, no trust, a log-in or a sender that
 * was refused; its message is for the operator.
 */
export interface Mailer {
  send(message: MailMessage): Promise<MailAnswer>
}
export const Mailer = port<Mailer | undefined>('Mailer', 'defaulted')

/** What means that there is no such mailbox (RFC 3463), and what means it where the server says no more. */
const NO_MAILBOX = /(^|\s)5\.(1\.(0|1|2|3|6|10)|2\.1)(?![.\d])/
const ENHANCED = /(^|\s)[245]\.\d{1,3}\.\d{1,3}(?![.\d])/
const NO_MAILBOX_CODES = new Set([550, 551, 553])

/** True for an answer that says that nothing will ever arrive at an address; a refusal of this mail alone is none. */
export const meansNoMailbox = (text: string, code?: number): boolean =>
  NO_MAILBOX.test(text) || (code !== undefined && !ENHANCED.test(text) && NO_MAILBOX_CODES.has(code))
