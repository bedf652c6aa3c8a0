import { buffer } from 'node:stream/consumers'
import type { ReceivedMessage } from '@signed-registry/core/contracts'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { freePort } from './free-port.js'

/** A mail as it came. */
export interface ReceivedMail {
  readonly to: string
  readonly raw: Buffer
  readonly mail: Email
}

/** A mail as `mailerContract` reads it. */
export async function asReceived(raw: Uint8Array): Promise<ReceivedMessage> {
  const { to, subject = '', text = '', html = '', messageId = '', headers, attachments } = await PostalMime.parse(raw)
  return {
    ...{ to: to?.[0]?.address ?? '', subject, text, html, messageId },
    headers: new Map(headers.map(({ key, value }) => [key, value])),
    attachments: attachments.map(({ filename, content }) => ({
      name: filename ?? '',
      bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    })),
  }
}

/** What the server says of a recipient or of a mail; `undefined` takes it, `drop` hangs up. */
export type Say = { readonly code: number; readonly text: string } | 'drop' | undefined

/** A mail server on loopback, which answers as a test says. */
export class SmtpSink {
  readonly got: ReceivedMail[] = []
  recipient: (to: string) => Say = () => undefined
  data: (to: string) => Say = () => undefined
  private readonly waiting: { readonly count: number; readonly resolve: () => void }[] = []

  private constructor(private readonly options: SMTPServerOptions) {}

  /** Without TLS unless options say otherwise. */
  static async start(options: SMTPServerOptions = { disabledCommands: ['AUTH', 'STARTTLS'] }): Promise<SmtpSink> {
    const sink = new SmtpSink(options)
    await sink.listen(await freePort())
    return sink
  }

  private server: SMTPServer | undefined
  port = 0

  get url(): string {
    return `smtp://127.0.0.1:${this.port}?tls=off`
  }

  /** Listens again after `close`, at the same port. */
  async listen(port = this.port): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      logger: false,
      closeTimeout: 10,
      ...this.options,
      onRcptTo: ({ address }, session, callback) => this.answer(this.recipient(address), session.id, callback),
      onData: async (stream, session, callback) => {
        const raw = await buffer(stream)
        const to = session.envelope.rcptTo[0]?.address ?? ''
        const said = this.data(to)
        if (said === undefined) await this.take({ to, raw, mail: await PostalMime.parse(raw) })
        this.answer(said, session.id, callback)
      },
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
    server.on('error', () => undefined)
    this.server = server
    this.port = port
  }

  /** Resolves when so many have come. */
  async came(count: number): Promise<void> {
    if (this.got.length < count) await new Promise<void>((resolve) => this.waiting.push({ count, resolve }))
  }

  /** Forgets what came, and what a test said. */
  forget(): void {
    this.got.length = 0
    this.waiting.length = 0
    this.recipient = () => undefined
    this.data = () => undefined
  }

  /** What came to an address. */
  to = (address: string): Email[] => this.got.filter(({ to }) => to === address).map(({ mail }) => mail)

  /** Addresses that mails came to, in the order of the alphabet. */
  get recipients(): string[] {
    return this.got.map(({ to }) => to).sort()
  }

  async close(): Promise<void> {
    for (const connection of this.server?.connections ?? []) connection.close()
    await new Promise<void>((resolve) => {
      if (this.server === undefined) resolve()
      else this.server.close(() => resolve())
    })
    this.server = undefined
  }

  private async take(received: ReceivedMail): Promise<void> {
    this.got.push(received)
    for (const { count, resolve } of this.waiting) if (this.got.length >= count) resolve()
  }

  private answer(said: Say, session: string, callback: (error?: Error | null) => void): void {
    if (said === undefined) callback()
    else if (said !== 'drop') callback(Object.assign(new Error(said.text), { responseCode: said.code }))
    else for (const connection of this.server?.connections ?? []) if (connection.id === session) connection.close()
  }
}
