import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { gives } from './features.js'
import { OrganizationGuard } from './represented-organization.js'
import type { OrganizationSubscription } from './schema.js'
import { FEATURES } from './subscription-catalogue.js'
import { type StoredSubscription, SubscriptionStore } from './subscription-store.js'

/** Answers the subscription of the caller's organization (specification, `GET /api/organizationSubscription`). */
export class GetOrganizationSubscription {
  static readonly inject = [OrganizationGuard, SubscriptionStore, Clock] as const

  constructor(
    private readonly guard: OrganizationGuard,
    private readonly subscriptions: SubscriptionStore,
    private readonly clock: Clock,
  ) {}

  async execute(caller: Caller): Promise<OrganizationSubscription> {
    const bin = await this.guard.assert(caller, 'organizationSettings')
    return describeSubscription(await this.subscriptions.get(bin), this.clock.now())
  }
}

/** A subscription as it is answered at a time (ms). */
export const describeSubscription = (subscription: StoredSubscription, now: number): OrganizationSubscription => ({
  name: subscription.name,
  expires: subscription.expires,
  ...(subscription.contactEmail !== undefined && { contactEmail: subscription.contactEmail }),
  features: FEATURES.map((name) => ({ name, enabled: gives(subscription, name, now) })),
})
