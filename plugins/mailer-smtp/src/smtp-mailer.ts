import type { MailAnswer, Mailer, MailMessage } from '@signed-registry/core'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { MailerSmtpOptions } from './options.js'

/** Who sends: `Name <address>` or an address, and where reports of mails that did not arrive go. */
export interface Sender {
  readonly from: string
  /** The sender's address unless given. */
  readonly returnPath?: string | undefined
}

/** A message as nodemailer takes it; it encodes whatever stands in headers. Nothing is read from files or addresses. */
export const composeMessage = ({ to, subject, text, html, ...message }: MailMessage, { from, returnPath }: Sender) =>
  ({
    // An address as an object is taken as it is: nobody looks for names, groups or further addresses in it.
    ...{ from, to: { name: '', address: to }, subject, text, html },
    ...{ messageId: message.messageId, headers: { ...message.headers } },
    envelope: { from: returnPath ?? from, to: [{ name: '', address: to }] },
    attachments: message.attachments.map(({ name, bytes }) => ({
      filename: name,
      content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  }) satisfies SendMailOptions

const SECOND = 1000
const DEFAULT_CONNECTIONS = 5
const MESSAGES_PER_CONNECTION = 100
/** The answer for an address that cannot be sent in SMTP. */
const NO_ADDRESS: MailAnswer = { code: 553, text: '5.1.3 The address cannot be written in SMTP' }
const TOO_LARGE: MailAnswer = { code: 552, text: '5.3.4 The mail is larger than the server takes' }
const OK = 250
/** Header fields that DKIM signs besides nodemailer's own; RFC 8058 section 4 demands the last. */
const SIGNED_HEADERS = [
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding',
  'In-Reply-To:References:Auto-Submitted:List-Unsubscribe:List-Unsubscribe-Post',
].join(':')

/** Submits mails to a mail server over pooled connections. */
export class SmtpMailer implements Mailer {
  private readonly transport: ReturnType<typeof pooled>
  private readonly sender: Sender

  constructor(options: MailerSmtpOptions) {
    this.transport = pooled(options)
    this.sender = { from: options.from, returnPath: options.returnPath }
  }

  async send(message: MailMessage): Promise<MailAnswer> {
    try {
      const { response } = await this.transport.sendMail({
        ...composeMessage(message, this.sender),
        dsn: { id: message.messageId.slice(1, -1), return: 'headers', notify: 'failure', recipient: message.to },
        signal: message.signal,
      })
      return replyOf(response) ?? { code: OK, text: response }
    } catch (error) {
      const answer = answerAbout(error)
      if (answer === undefined) throw error
      return answer
    }
  }

  /** Connects and logs in, without a mail. Rejects when the server cannot be used. */
  async check(): Promise<void> {
    await this.transport.verify()
  }

  close(): void {
    this.transport.close()
  }
}

function pooled({ url, connections, perSecond, dkim, trust }: MailerSmtpOptions) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const isSecure = protocol === 'smtps:'
  const withoutTls = searchParams.get('tls') === 'off'
  return createTransport({
    pool: true,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isSecure ? 465 : 587),
    secure: isSecure,
    requireTLS: !isSecure && !withoutTls,
    ignoreTLS: withoutTls,
    tls: { minVersion: 'TLSv1.2', ...(trust !== undefined && { ca: trust }) },
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    maxConnections: connections ?? DEFAULT_CONNECTIONS,
    maxMessages: MESSAGES_PER_CONNECTION,
    // Retries are core's business.
    maxRequeues: 0,
    ...(perSecond !== undefined && { rateLimit: perSecond, rateDelta: SECOND }),
    connectionTimeout: 20 * SECOND,
    greetingTimeout: 20 * SECOND,
    socketTimeout: 60 * SECOND,
    ...(dkim !== undefined && {
      dkim: {
        domainName: dkim.domain,
        keySelector: dkim.selector,
        privateKey: dkim.key,
        headerFieldNames: SIGNED_HEADERS,
      },
    }),
  })
}

/** The server's reply about the recipient or the mail; `undefined` for other failures, such as a login. */
function answerAbout(error: unknown): MailAnswer | undefined {
  if (!(error instanceof Error)) return undefined
  const facts = new Map<string, unknown>(Object.entries(error))
  const [code, command, response] = [facts.get('code'), facts.get('command'), facts.get('response')]
  const reply = typeof response === 'string' ? replyOf(response) : undefined
  if (code === 'EMESSAGE' && reply === undefined && command === 'MAIL FROM') return TOO_LARGE
  if (code === 'EENVELOPE' && command === 'API') return NO_ADDRESS
  const isAboutMail = command === 'RCPT TO' || command === 'DATA' || (command === 'MAIL FROM' && reply?.code === 552)
  return isAboutMail ? reply : undefined
}

/** The code and the text of a reply (RFC 5321 section 4.2). */
function replyOf(response: string): MailAnswer | undefined {
  const [, code, text = ''] = /^(\d{3})[ -]?([\s\S]*)$/.exec(response) ?? []
  return code === undefined ? undefined : { code: Number(code), text: text.replace(/\s+/g, ' ').trim() }
}
