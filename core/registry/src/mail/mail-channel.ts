import { type Delivery, type DeliveryChannel, HOST_STOPPED, type Outcome } from '../deliveries/index.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { MailBudget } from '../notifications/index.js'
import { type Attached, Attachments } from './attachments.js'
import { MailKeys } from './mail-keys.js'
import { MailWriter } from './mail-writer.js'
import { type MailAnswer, Mailer, type MailMessage } from './mailer.js'
import { isBySettings, type MailPayload, refusedAs } from './news.js'
import { meansNoMailbox } from './no-mailbox.js'
import { RecipientStore } from './recipient-store.js'

export const MAIL_CHANNEL = 'mail'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** The server closes, and has closed to all of us (RFC 5321 section 3.8). */
const CLOSING = 421
/** The mail is larger than the server takes. */
const TOO_LARGE = 552
/** Writes mails and judges what the mail server answers. */
export class MailChannel implements DeliveryChannel {
  static readonly inject = {
    mailer: Mailer,
    recipients: RecipientStore,
    keys: MailKeys,
    attachments: Attachments,
    writer: MailWriter,
    budget: MailBudget,
    site: Site,
    logger: Logger,
  }
  readonly name = MAIL_CHANNEL
  readonly timeoutMs = 120 * SECOND
  readonly retriesMs = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, 24 * HOUR]
  readonly atOnce = 10
  readonly atOncePerTarget = 10

  constructor(private readonly use: Injected<typeof MailChannel.inject>) {}

  async deliver(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    const { mailer, recipients, keys } = this.use
    if (mailer === undefined) return { state: 'later', error: 'No plugin carries mail' }
    const payload = delivery.payload as MailPayload
    const recipient = await keys.recipient(payload.to)
    const bounce = await recipients.bounceOf(recipient)
    if (bounce !== undefined) return { state: 'failed', error: `Mail to the address bounced before: ${bounce.reason}` }
    const kind = refusedAs(payload.news.kind)
    if (kind !== undefined && (await recipients.refusedKinds(recipient)).includes(kind)) {
      return { state: 'delivered', answer: 'Not sent: the recipient wants no such mail' }
    }
    if (await this.isTooMany(delivery, payload, recipient))
      return { state: 'failed', error: 'Withheld: too many mails to the address within an hour' }
    const attached = await this.use.attachments.of(payload.news)
    try {
      let answer = await mailer.send(await this.message(delivery, payload, attached, signal))
      if (answer.code === TOO_LARGE && attached.files.length > 0) {
        const smaller = await this.use.attachments.withoutOriginals(payload.news)
        answer = await mailer.send(await this.message(delivery, payload, smaller, signal))
      }
      return await this.judge(answer, recipient)
    } catch (error) {
      this.use.logger.warn('The mail server did not answer', { delivery: delivery.id, error })
      return { state: 'later', error: error instanceof Error ? error.message : 'No answer', restTarget: true }
    }
  }

  /** Counts a mail once, however often it is tried or its host stops. What an owner has to know of an account always goes. */
  private async isTooMany(
    { failures, lastError }: Delivery,
    { news, isOfKnown = false }: MailPayload,
    recipient: string,
  ): Promise<boolean> {
    if (failures > 0 || lastError === HOST_STOPPED || isOfKnown || refusedAs(news.kind) === undefined) return false
    return !(await this.use.budget.receives(recipient, isBySettings(news) ? 'settings' : 'others'))
  }

  private async message(
    { id, eventId = id }: Delivery,
    { to, language, news }: MailPayload,
    { files, missing }: Attached,
    signal: AbortSignal,
  ): Promise<MailMessage> {
    const kind = refusedAs(news.kind)
    const unsubscribeUrl = kind && `${this.use.site.baseUrl}/unsubscribe/${await this.use.keys.token(to, kind)}`
    const { subject, text, html } = await this.use.writer.write(news, language, { missing, unsubscribeUrl })
    return {
      ...{ to, subject, text, html, signal, attachments: files },
      messageId: await this.use.keys.messageId(eventId, to),
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribeUrl && {
          'List-Unsubscribe': `<${unsubscribeUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    }
  }

  private async judge({ code, text }: MailAnswer, recipient: string): Promise<Outcome> {
    const answer = `${code} ${text}`.trim()
    if (code >= 200 && code < 300) return { state: 'delivered', status: code, answer }
    const error = `The mail server answered ${answer}`
    if (code < 500) return { state: 'later', error, status: code, answer, restTarget: code === CLOSING }
    if (meansNoMailbox(text, code)) await this.use.recipients.bounced(recipient, answer)
    return { state: 'failed', error, status: code, answer }
  }
}
