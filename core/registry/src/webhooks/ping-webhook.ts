import Type, { type Static } from 'typebox'
import { Database } from '../database/database.js'
import { Deliveries } from '../deliveries/index.js'
import type { Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationGuard } from '../organizations/index.js'
import { WebhookParams } from './schema.js'
import { WEBHOOK_CHANNEL, type WebhookPayload } from './webhook-channel.js'
import { WebhookStore } from './webhook-store.js'

export const PingedWebhook = Type.Object(
  { webhookId: Type.String(), deliveryId: Type.String({ description: 'as in `webhook-id` of what is sent' }) },
  { $id: 'PingedWebhook' },
)
export type PingedWebhook = Static<typeof PingedWebhook>

/** Sends a webhook that tries an address, paused or not; one that arrives ends the pause (ours). */
export class PingWebhook {
  static readonly operation = operation({
    id: 'pingWebhook',
    group: 'organizations',
    summary: 'Send a webhook to try an address; when it arrives, a paused address is used again',
    description:
      'For who has the right `organizationSettings`. The delivery is in the list of deliveries with its outcome.',
    params: WebhookParams,
    answer: PingedWebhook,
  })
  static readonly inject = {
    guard: OrganizationGuard,
    webhooks: WebhookStore,
    deliveries: Deliveries,
    database: Database,
  }

  constructor(private readonly use: Injected<typeof PingWebhook.inject>) {}

  async execute(caller: Caller, { webhookId }: Input<typeof PingWebhook.operation>): Promise<PingedWebhook> {
    const bin = await this.use.guard.assert(caller, 'organizationSettings')
    await this.use.webhooks.get(bin, webhookId)
    const payload: WebhookPayload = { webhookId, body: { ping: true, businessId: bin }, isPing: true }
    const ping = { channel: WEBHOOK_CHANNEL, target: webhookId, owner: bin, payload }
    const [deliveryId = ''] = await this.use.database.transaction(() => this.use.deliveries.add([ping]))
    return { webhookId, deliveryId }
  }
}
