import { type Delivery, type DeliveryChannel, HOST_STOPPED, type Outcome } from '../deliveries/index.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { MailBudget } from '../notifications/index.js'
import { type Attached, Attachments, type MissingOriginal } from './attachments.js'
import { MailWriter } from './mail-writer.js'
import { type MailAnswer, Mailer, type MailMessage, meansNoMailbox } from './mailer.js'
import { MailerState } from './mailer-state.js'
import type { Missing } from './missing-originals.js'
import { isBySettings, type MailPayload, refusedAs } from './news.js'
import { MailKeys, RecipientStore } from './recipients.js'

/** What a mail's delivery notes for its record besides the state. */
export interface MailNote {
  /** The mail server's last reply. */
  readonly code?: number
  /** Not sent: the recipient unsubscribed or gets too many mails. The record does not say which. */
  readonly isWithheld?: boolean
  /** The mailbox does not exist. */
  readonly isNoMailbox?: boolean
  /** Originals that were to be attached and were not. */
  readonly missing?: readonly { readonly documentId: string; readonly reason: Missing }[]
}

/** The note of a mail that was given to the mail server; `undefined` where the state says everything. */
function noteOf(code: number, missing: readonly MissingOriginal[], isNoMailbox = false): MailNote | undefined {
  const isTaken = code >= 200 && code < 300
  if (isTaken && missing.length === 0) return undefined
  return {
    ...(!isTaken && { code }),
    ...(isNoMailbox && { isNoMailbox }),
    ...(missing.length > 0 && { missing: missing.map(({ documentId, reason }) => ({ documentId, reason })) }),
  }
}

export const MAIL_CHANNEL = 'mail'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** The server is shutting down, so every mail has to wait (RFC 5321 section 3.8). */
const CLOSING = 421
/** The mail exceeds the server's size limit. */
const TOO_LARGE = 552
const WITHHELD: MailNote = { isWithheld: true }
const NO_MAILBOX: MailNote = { isNoMailbox: true }

/** Writes mails and interprets the mail server's replies. */
export class MailChannel implements DeliveryChannel {
  static readonly inject = {
    mailer: Mailer,
    state: MailerState,
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
    const { to, language, otherwise } = payload
    const recipient = await keys.recipient(to)
    const bounce = await recipients.bounceOf(recipient)
    if (bounce !== undefined)
      return { state: 'failed', error: `Mail to the address bounced before: ${bounce.reason}`, note: NO_MAILBOX }
    const withheld = await this.withheld(delivery, payload, recipient)
    if (withheld === undefined) return this.carry(delivery, payload, recipient, signal)
    if (otherwise === undefined) return withheld
    const own = { to, language, news: otherwise }
    return (await this.withheld(delivery, own, recipient)) ?? this.carry(delivery, own, recipient, signal)
  }

  /** The outcome of a mail whose recipient unsubscribed or gets too many; `undefined` for one that is to be sent. */
  private async withheld(delivery: Delivery, payload: MailPayload, recipient: string): Promise<Outcome | undefined> {
    const kind = refusedAs(payload.news.kind)
    if (kind !== undefined && (await this.use.recipients.refusedKinds(recipient)).includes(kind)) {
      return { state: 'delivered', answer: 'Not sent: the recipient wants no such mail', note: WITHHELD }
    }
    if (await this.isTooMany(delivery, payload, recipient))
      return { state: 'failed', error: 'Withheld: too many mails to the address within an hour', note: WITHHELD }
    return undefined
  }

  private async carry(
    delivery: Delivery,
    payload: MailPayload,
    recipient: string,
    signal: AbortSignal,
  ): Promise<Outcome> {
    let attached = await this.use.attachments.of(payload.news)
    try {
      let answer = await this.hand(await this.message(delivery, payload, attached, signal))
      if (answer.code === TOO_LARGE && attached.files.length > 0) {
        attached = await this.use.attachments.withoutOriginals(payload.news)
        answer = await this.hand(await this.message(delivery, payload, attached, signal))
      }
      return await this.judge(answer, recipient, attached)
    } catch (error) {
      this.use.logger.warn('The mail server did not answer', { delivery: delivery.id, error })
      return { state: 'later', error: error instanceof Error ? error.message : 'No answer', restTarget: true }
    }
  }

  private async hand(message: MailMessage): Promise<MailAnswer> {
    const { mailer, state } = this.use
    try {
      if (mailer === undefined) throw new TypeError('No plugin carries mail')
      return await mailer.send(message)
    } catch (error) {
      await state.failed()
      throw error
    }
  }

  /** Counts a mail once, however many attempts it takes. Mail that an owner must get about an account is never withheld. */
  private async isTooMany(
    { failures, lastError }: Delivery,
    { news, isOfKnown = false, isOfStranger = false }: MailPayload,
    recipient: string,
  ): Promise<boolean> {
    if (failures > 0 || lastError === HOST_STOPPED || isOfKnown || refusedAs(news.kind) === undefined) return false
    const named = isBySettings(news) ? 'settings' : isOfStranger ? 'strangers' : 'others'
    return !(await this.use.budget.receives(recipient, named))
  }

  private async message(
    { id, eventId = id }: Delivery,
    { to, language, news, isOfStranger }: MailPayload,
    { files, missing }: Attached,
    signal: AbortSignal,
  ): Promise<MailMessage> {
    const kind = refusedAs(news.kind)
    const unsubscribeUrl = kind && `${this.use.site.baseUrl}/unsubscribe/${await this.use.keys.token(to, kind)}`
    const { subject, text, html } = await this.use.writer.write(news, language, {
      missing,
      unsubscribeUrl,
      isOfStranger,
    })
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

  private async judge({ code, text }: MailAnswer, recipient: string, { missing }: Attached): Promise<Outcome> {
    const { state, recipients } = this.use
    const answer = `${code} ${text}`.trim()
    if (code >= 200 && code < 300) {
      await state.accepted()
      return { state: 'delivered', status: code, answer, note: noteOf(code, missing) }
    }
    const error = `The mail server answered ${answer}`
    const isNoMailbox = code >= 500 && meansNoMailbox(text, code)
    const note = noteOf(code, missing, isNoMailbox)
    if (isNoMailbox) await recipients.bounced(recipient, answer)
    else if (code === CLOSING) await state.failed()
    else await state.refused(recipient)
    if (code < 500) return { state: 'later', error, status: code, answer, note, restTarget: code === CLOSING }
    return { state: 'failed', error, status: code, answer, note }
  }
}
