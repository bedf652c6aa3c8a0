import Type, { type Static } from 'typebox'
import { Database } from '../database/database.js'
import { Deliveries } from '../deliveries/index.js'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { withRight } from '../organizations/index.js'
import { WebhookParams } from './schema.js'
import { WEBHOOK_CHANNEL, type WebhookPayload } from './webhook-channel.js'
import { WebhookStore } from './webhook-store.js'

export const PingedWebhook = Type.Object(
  { webhookId: Type.String(), deliveryId: Type.String({ description: 'as in `webhook-id` of what is sent' }) },
  { $id: 'PingedWebhook' },
)
export type PingedWebhook = Static<typeof PingedWebhook>

/** Sends a test webhook, even to a paused address; a successful one ends the pause (not in the specification). */
export class PingWebhook {
  static readonly operation = operation({
    id: 'pingWebhook',
    group: 'organizations',
    at: 'POST /organizationWebhooks/:webhookId/ping',
    who: withRight('organizationSettings'),
    summary: 'Send a webhook to try an address; when it arrives, a paused address is used again',
    description: 'The delivery is in the list of deliveries with its outcome.',
    params: WebhookParams,
    answer: PingedWebhook,
    refuses: ['webhookNotFound'],
  })
  static readonly inject = { webhooks: WebhookStore, deliveries: Deliveries, database: Database }

  constructor(private readonly use: Injected<typeof PingWebhook.inject>) {}

  async execute(
    _caller: Caller,
    { businessId: bin, webhookId }: Admitted<typeof PingWebhook.operation>,
  ): Promise<PingedWebhook> {
    await this.use.webhooks.get(bin, webhookId)
    const payload: WebhookPayload = { webhookId, body: { ping: true, businessId: bin }, isPing: true }
    const ping = { channel: WEBHOOK_CHANNEL, target: webhookId, owner: bin, payload }
    const [deliveryId = ''] = await this.use.database.transaction(() => this.use.deliveries.add([ping]))
    return { webhookId, deliveryId }
  }
}
