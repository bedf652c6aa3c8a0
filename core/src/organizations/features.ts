import { Clock } from '../kernel/clock.js'
import { organizationErrors } from './errors.js'
import type { Feature } from './subscription-catalogue.js'
import { type StoredSubscription, SubscriptionStore } from './subscription-store.js'

/** True while a subscription gives a feature; an expired one gives none. `now` in milliseconds. */
export const gives = ({ expires, disabledFeatures }: StoredSubscription, feature: Feature, now: number): boolean =>
  (expires === 0 || now < expires) && !disabledFeatures.includes(feature)

/** Decides what organizations may use by their subscriptions. People on their own need none. */
export class Features {
  static readonly inject = [SubscriptionStore, Clock] as const

  constructor(
    private readonly subscriptions: SubscriptionStore,
    private readonly clock: Clock,
  ) {}

  /** Rejects with `featureNotAvailable` when the subscription of the organization has not the feature on. */
  async assertEnabled(bin: string | undefined, feature: Feature): Promise<void> {
    if (bin === undefined || gives(await this.subscriptions.get(bin), feature, this.clock.now())) return
    throw organizationErrors.error('featureNotAvailable', { feature })
  }
}
