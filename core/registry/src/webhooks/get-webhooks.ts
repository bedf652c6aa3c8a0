import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationStore, withRight } from '../organizations/index.js'
import { Webhook } from './schema.js'
import { WebhookStore } from './webhook-store.js'

export const OrganizationWebhooks = Type.Object(
  { businessId: Type.String(), webhooks: Type.Array(Webhook) },
  { $id: 'OrganizationWebhooks' },
)
export type OrganizationWebhooks = Static<typeof OrganizationWebhooks>

/** Lists the webhook addresses in the settings of the caller's organization, with secrets (not in the specification). */
export class GetWebhooks {
  static readonly operation = operation({
    id: 'getWebhooks',
    group: 'organizations',
    at: 'GET /organizationWebhooks',
    who: withRight('organizationSettings'),
    summary: 'Read the secrets of your webhooks, and how they fare',
    description: 'Secrets sign webhooks by Standard Webhooks.',
    answer: OrganizationWebhooks,
  })
  static readonly inject = { organizations: OrganizationStore, webhooks: WebhookStore, clock: Clock }

  constructor(private readonly use: Injected<typeof GetWebhooks.inject>) {}

  async execute(
    _caller: Caller,
    { businessId: bin }: Admitted<typeof GetWebhooks.operation>,
  ): Promise<OrganizationWebhooks> {
    const { urls, routingUrls } = (await this.use.organizations.get(bin)).webhooks
    const addresses = [...new Set([...urls, ...routingUrls])].map((url) => ({ bin, url }))
    const now = this.use.clock.now()
    const webhooks = (await this.use.webhooks.ensure(addresses)).map(
      ({ id, url, secret, previousSecretUntil, failingSince, pausedAt }): Webhook => ({
        webhookId: id,
        url,
        lists: [
          ...(urls.includes(url) ? (['urls'] as const) : []),
          ...(routingUrls.includes(url) ? (['routingUrls'] as const) : []),
        ],
        secret,
        ...(previousSecretUntil !== undefined && previousSecretUntil > now && { previousSecretUntil }),
        ...(failingSince !== undefined && { failingSince }),
        ...(pausedAt !== undefined && { pausedAt }),
      }),
    )
    return { businessId: bin, webhooks }
  }
}
