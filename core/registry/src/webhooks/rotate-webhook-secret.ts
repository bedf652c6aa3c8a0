import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationGuard } from '../organizations/index.js'
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

/** Gives a webhook a new secret; the old one stays valid beside it for a day (ours). */
export class RotateWebhookSecret {
  static readonly operation = operation({
    id: 'rotateWebhookSecret',
    group: 'organizations',
    summary: 'Change the secret of a webhook; the old one is valid beside it for a day',
    description: 'For who has the right `organizationSettings`. The answer has the new secret.',
    params: WebhookParams,
    answer: RotatedWebhookSecret,
  })
  static readonly inject = { guard: OrganizationGuard, webhooks: WebhookStore }

  constructor(private readonly use: Injected<typeof RotateWebhookSecret.inject>) {}

  async execute(
    caller: Caller,
    { webhookId }: Input<typeof RotateWebhookSecret.operation>,
  ): Promise<RotatedWebhookSecret> {
    const bin = await this.use.guard.assert(caller, 'organizationSettings')
    const webhook = await this.use.webhooks.get(bin, webhookId)
    return { webhookId, ...(await this.use.webhooks.rotateSecret(webhook)) }
  }
}
