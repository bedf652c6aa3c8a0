import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import { checkEmails } from '../settings/index.js'
import { describeSubscription } from './get-organization-subscription.js'
import type { OrganizationSubscription } from './schema.js'
import type { Feature, SubscriptionName } from './subscription-catalogue.js'
import { SubscriptionStore } from './subscription-store.js'

/** What an administrator changes of a subscription; the rest stays. */
export interface SubscriptionChange {
  readonly name?: SubscriptionName | undefined
  /** Milliseconds; 0 without expiry. */
  readonly expires?: number | undefined
  /** Empty for none. */
  readonly contactEmail?: string | undefined
  readonly enable?: readonly Feature[] | undefined
  readonly disable?: readonly Feature[] | undefined
}

/** Changes the subscription of an organization, for the administrator of the service. */
export class SetSubscription {
  static readonly inject = [SubscriptionStore, Database, Clock] as const

  constructor(
    private readonly subscriptions: SubscriptionStore,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Answers the subscription as it is now. Rejects with `invalidNotificationEmail`. */
  async execute(bin: string, change: SubscriptionChange): Promise<OrganizationSubscription> {
    const { name, expires, contactEmail, enable = [], disable = [] } = change
    checkEmails({ contactEmail })
    return this.database.transaction(async () => {
      const before = await this.subscriptions.lock(bin)
      const disabled = new Set([...before.disabledFeatures.filter((feature) => !enable.includes(feature)), ...disable])
      const after = {
        name: name ?? before.name,
        expires: expires ?? before.expires,
        contactEmail: contactEmail === undefined ? before.contactEmail : contactEmail || undefined,
        disabledFeatures: [...disabled],
      }
      await this.subscriptions.save(bin, after)
      return describeSubscription(after, this.clock.now())
    })
  }
}
