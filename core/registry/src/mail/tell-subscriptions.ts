import { Database } from '../database/database.js'
import { Deliveries } from '../deliveries/index.js'
import { newId } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationStore, Subscriptions } from '../organizations/index.js'
import { MailDeliveries } from './mail-subscriber.js'
import { Mailer } from './mailer.js'

const AT_ONCE = 100
const KINDS = { changed: 'subscriptionChanged', ending: 'subscriptionEnding', ended: 'subscriptionEnded' } as const

/** Tells organizations once that their subscription was changed, ends soon or has ended. */
export class TellSubscriptions {
  static readonly task = { name: 'tellSubscriptions', schedule: '* * * * *' }
  static readonly inject = {
    mailer: Mailer,
    subscriptions: Subscriptions,
    organizations: OrganizationStore,
    mails: MailDeliveries,
    deliveries: Deliveries,
    database: Database,
  }

  constructor(private readonly use: Injected<typeof TellSubscriptions.inject>) {}

  async run(): Promise<void> {
    if (this.use.mailer === undefined) return
    while ((await this.use.database.transaction(() => this.tellSome())) === AT_ONCE);
  }

  private async tellSome(): Promise<number> {
    const news = await this.use.subscriptions.takeNews(AT_ONCE)
    for (const { bin: owner, what, name, expires, contactEmail = '' } of news) {
      const { subscriptionContactEmail } = (await this.use.organizations.choices.get(owner)).choices
      const to = subscriptionContactEmail || contactEmail
      if (to === '') continue
      const notice = { to, owner, eventId: newId(), news: { kind: KINDS[what], owner, name, expires } }
      await this.use.deliveries.add(this.use.mails.of([notice]))
    }
    return news.length
  }
}
