import type { NewDelivery } from '../deliveries/index.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, organizationOfPayer, sendable, spelling } from '../notifications/index.js'
import { MailLanguage } from './limits.js'
import { MAIL_CHANNEL } from './mail-channel.js'
import { isBySettings, type MailPayload } from './news.js'
import { type Notice, STRANGER } from './notices.js'

/** All mail goes to one server: when it is away, everything waits for it. */
const SERVER = 'mail server'

/** Makes a delivery for each recipient: one mail each, so that nobody sees the others and nobody gets it twice. */
export class MailDeliveries {
  static readonly inject = { language: MailLanguage, budget: MailBudget }

  constructor(private readonly use: Injected<typeof MailDeliveries.inject>) {}

  /** Of several notices of one event to one address, in whatever spelling, the first counts. */
  of(notices: readonly Notice[]): NewDelivery[] {
    const told = new Map<string, Notice[]>()
    for (const notice of notices) {
      const once = `${notice.eventId} ${spelling(notice.to)}`
      told.set(once, [...(told.get(once) ?? []), notice])
    }
    return [...told.values()].flatMap(([first, ...others]) => {
      if (first === undefined) return []
      const { to, language = this.use.language, owner, eventId, askedBy, news } = first
      const otherwise = isBySettings(news) ? undefined : others.find((one) => isBySettings(one.news))?.news
      const isOfKnown = askedBy !== undefined && this.use.budget.isKnown(organizationOfPayer(askedBy))
      const isOfStranger = askedBy === STRANGER
      const by = { ...(isOfKnown && { isOfKnown }), ...(isOfStranger && { isOfStranger }) }
      const payload: MailPayload = { to: sendable(to), language, news, ...(otherwise && { otherwise }), ...by }
      return [{ channel: MAIL_CHANNEL, target: SERVER, owner, eventId, askedBy, payload }]
    })
  }
}
