import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { withRight } from '../organizations/index.js'
import { WebhookParams } from './schema.js'
import { WebhookStore } from './webhook-store.js'

export const RotatedWebhookSecret = Type.Object(
  {
    webhookId: Type.String(),
    secret: Type.String(),
    previousSecretUntil: Type.Integer({ description: 'until when both secrets prove webhooks' }),
  },
  { $id: 'RotatedWebhookSecret' },
)
export type RotatedWebhookSecret = Static<typeof RotatedWebhookSecret>

/** Gives a webhook a new secret; the old one stays valid for a day (not in the specification). */
export class RotateWebhookSecret {
  static readonly operation = operation({
    id: 'rotateWebhookSecret',
    group: 'organizations',
    at: 'POST /organizationWebhooks/:webhookId/rotateSecret',
    who: withRight('organizationSettings'),
    summary: 'Change the secret of a webhook; the old one is valid beside it for a day',
    description: 'The answer has the new secret.',
    params: WebhookParams,
    answer: RotatedWebhookSecret,
    refuses: ['webhookNotFound'],
  })
  static readonly inject = { webhooks: WebhookStore }

  constructor(private readonly use: Injected<typeof RotateWebhookSecret.inject>) {}

  async execute(
    _caller: Caller,
    { businessId: bin, webhookId }: Admitted<typeof RotateWebhookSecret.operation>,
  ): Promise<RotatedWebhookSecret> {
    const webhook = await this.use.webhooks.get(bin, webhookId)
    return { webhookId, ...(await this.use.webhooks.rotateSecret(webhook)) }
  }
}
