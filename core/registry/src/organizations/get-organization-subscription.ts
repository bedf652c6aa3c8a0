import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationSubscription, Subscriptions } from './subscriptions.js'
import { withRight } from './with-right.js'

/** Answers the subscription of the caller's organization (specification, `GET /api/organizationSubscription`). */
export class GetOrganizationSubscription {
  static readonly operation = operation({
    id: 'getOrganizationSubscription',
    group: 'organizations',
    at: 'GET /organizationSubscription',
    who: withRight('organizationSettings'),
    summary: 'Read the subscription of your organization',
    description: 'Features that are missing are enabled.',
    answer: OrganizationSubscription,
  })
  static readonly inject = { subscriptions: Subscriptions }

  constructor(private readonly use: Injected<typeof GetOrganizationSubscription.inject>) {}

  async execute(
    _caller: Caller,
    { businessId }: Admitted<typeof GetOrganizationSubscription.operation>,
  ): Promise<OrganizationSubscription> {
    return this.use.subscriptions.get(businessId)
  }
}
