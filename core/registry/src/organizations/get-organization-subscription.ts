import type { Caller } from '../identity/index.js'
import { operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationGuard } from './represented-organization.js'
import { OrganizationSubscription, Subscriptions } from './subscriptions.js'

/** Answers the subscription of the caller's organization (specification, `GET /api/organizationSubscription`). */
export class GetOrganizationSubscription {
  static readonly operation = operation({
    id: 'getOrganizationSubscription',
    group: 'organizations',
    summary: 'Read the subscription of your organization',
    description: 'For who has the right `organizationSettings`. Features that are missing are enabled.',
    answer: OrganizationSubscription,
  })
  static readonly inject = { guard: OrganizationGuard, subscriptions: Subscriptions }

  constructor(private readonly use: Injected<typeof GetOrganizationSubscription.inject>) {}

  async execute(caller: Caller): Promise<OrganizationSubscription> {
    return this.use.subscriptions.get(await this.use.guard.assert(caller, 'organizationSettings'))
  }
}
