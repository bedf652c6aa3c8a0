import Type, { type Static } from 'typebox'
import { Deliveries } from '../deliveries/index.js'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import { withRight } from '../organizations/index.js'
import { webhookErrors } from './errors.js'
import { WebhookParams } from './schema.js'
import { WEBHOOK_CHANNEL } from './webhook-channel.js'
import { WebhookStore } from './webhook-store.js'

const ResendWebhooksRequest = Type.Object(
  {
    deliveryId: Type.Optional(Type.String({ description: 'send this one again' })),
    since: Type.Optional(
      Type.Integer({ minimum: 0, description: 'send again all that were made from this moment on' }),
    ),
  },
  { $id: 'ResendWebhooksRequest', description: 'one of the two' },
)

export const ResentWebhooks = Type.Object(
  { webhookId: Type.String(), resent: Type.Integer({ description: 'those that are not under way just now' }) },
  { $id: 'ResentWebhooks' },
)
export type ResentWebhooks = Static<typeof ResentWebhooks>

/** Repeats one delivery to a webhook of the caller's organization, or all since a moment (not in the specification). */
export class ResendWebhooks {
  static readonly operation = operation({
    id: 'resendWebhooks',
    group: 'organizations',
    at: 'POST /organizationWebhooks/:webhookId/resend',
    who: withRight('organizationSettings'),
    summary: 'Send webhooks again, one or all since a moment; they keep their identifiers',
    description: 'A receiver tells repetitions by `webhook-id`.',
    params: WebhookParams,
    request: ResendWebhooksRequest,
    answer: ResentWebhooks,
    refuses: ['webhookNotFound'],
  })
  static readonly inject = { webhooks: WebhookStore, deliveries: Deliveries }

  constructor(private readonly use: Injected<typeof ResendWebhooks.inject>) {}

  async execute(
    _caller: Caller,
    { businessId: bin, webhookId, request: { deliveryId, since } }: Admitted<typeof ResendWebhooks.operation>,
  ): Promise<ResentWebhooks> {
    if ((deliveryId === undefined) === (since === undefined)) {
      throw requestErrors.error('invalidJsonStructure', { field: deliveryId === undefined ? 'deliveryId' : 'since' })
    }
    await this.use.webhooks.get(bin, webhookId)
    const some = { owner: bin, channel: WEBHOOK_CHANNEL, target: webhookId, id: deliveryId, since }
    if (deliveryId !== undefined && !(await this.use.deliveries.has(some))) throw webhookErrors.error('webhookNotFound')
    return { webhookId, resent: await this.use.deliveries.again(some) }
  }
}
