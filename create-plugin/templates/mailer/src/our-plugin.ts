import { definePlugin, type MailAnswer, Mailer, type MailMessage, provideValue } from '@signed-registry/core'
import { Type } from 'typebox'

/** Carries mails to a service with a JSON API. Recipients, content, order and retries are core's. */
class OurPluginMailer implements Mailer {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  /** Answers what the service said of the recipient, and rejects when it said nothing of him: core tries again then. */
  async send({ signal, attachments, ...mail }: MailMessage): Promise<MailAnswer> {
    const { status } = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${this.key}`,
        // The same for every attempt, so that the service sends the mail once.
        'idempotency-key': mail.messageId,
      },
      body: JSON.stringify({
        ...mail,
        attachments: attachments.map(({ name, bytes }) => ({ name, content: Buffer.from(bytes).toString('base64') })),
      }),
      signal,
    })
    if (status < 300) return { code: 250, text: 'taken' }
    if (status === 422) return { code: 550, text: 'no such mailbox' }
    throw new Error(`The mail service answered ${status}`)
  }
}

/** Plugin: mails by a service over HTTP. */
export const ourPlugin = definePlugin({
  name: 'our-plugin',
  options: Type.Object(
    { url: Type.String({ pattern: '^https?://' }), key: Type.String({ minLength: 1 }) },
    { additionalProperties: false },
  ),
  parts: ({ url, key }) => ({ provides: [provideValue(Mailer, new OurPluginMailer(url, key))] }),
})
