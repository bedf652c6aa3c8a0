import type { NewDelivery } from '../deliveries/index.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, organizationOfPayer, sendable, spelling } from '../notifications/index.js'
import { MailLanguage } from './limits.js'
import { MAIL_CHANNEL } from './mail-channel.js'
import type { MailPayload } from './news.js'
import { type Notice, STRANGER } from './notices.js'

/** All mail goes to one server: when it is away, everything waits for it. */
const SERVER = 'mail server'

/** Makes a delivery for each recipient: one mail each, so that nobody sees the others and nobody gets it twice. */
export class MailDeliveries {
  static readonly inject = { language: MailLanguage, budget: MailBudget }

  constructor(private readonly use: Injected<typeof MailDeliveries.inject>) {}

  /** Of several notices of one event to one address, in whatever spelling, the first counts. */
  of(notices: readonly Notice[]): NewDelivery[] {
    const told = new Set<string>()
    return notices.flatMap(({ to, language = this.use.language, owner, eventId, askedBy, news }) => {
      const once = `${eventId} ${spelling(to)}`
      if (told.has(once)) return []
      told.add(once)
      const isOfKnown = askedBy !== undefined && this.use.budget.isKnown(organizationOfPayer(askedBy))
      const isOfStranger = askedBy === STRANGER
      const by = { ...(isOfKnown && { isOfKnown }), ...(isOfStranger && { isOfStranger }) }
      const payload: MailPayload = { to: sendable(to), language, news, ...by }
      return [{ channel: MAIL_CHANNEL, target: SERVER, owner, eventId, askedBy, payload }]
    })
  }
}
