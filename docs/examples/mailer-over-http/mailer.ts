import { definePlugin, type MailAnswer, Mailer, type MailMessage, provideValue } from '@signed-registry/core'
import { Type } from 'typebox'

/** Sends mails through a service with a JSON API. Recipients, content and retries are decided elsewhere. */
class HttpMailer implements Mailer {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async send({ signal, attachments, messageId, ...mail }: MailMessage): Promise<MailAnswer> {
    const { status } = await fetch(this.url, {
      method: 'POST',
      // The same for every attempt, so that the service sends the mail only once.
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${this.key}`,
        'idempotency-key': messageId,
      },
      body: JSON.stringify({
        ...mail,
        messageId,
        attachments: attachments.map(({ name, bytes }) => ({ name, content: Buffer.from(bytes).toString('base64') })),
      }),
      signal,
    })
    if (status < 300) return { code: 250, text: 'taken' }
    // Only a rejected address is a permanent failure; anything else is retried.
    if (status === 422) return { code: 550, text: 'no such mailbox' }
    throw new Error(`The mail service answered ${status}`)
  }
}

/** Plugin: mails by a service over HTTP. */
export const mailerOverHttp = definePlugin({
  name: 'mailer-over-http',
  options: Type.Object(
    { url: Type.String({ pattern: '^https?://' }), key: Type.String({ minLength: 1 }) },
    { additionalProperties: false },
  ),
  parts: ({ url, key }) => ({ provides: [provideValue(Mailer, new HttpMailer(url, key))] }),
})
