import Type, { type Static } from 'typebox'
import { type Attempt, Deliveries, type Delivery } from '../deliveries/index.js'
import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { withRight } from '../organizations/index.js'
import { WebhookParams } from './schema.js'
import { WEBHOOK_CHANNEL, type WebhookPayload } from './webhook-channel.js'
import { WebhookStore } from './webhook-store.js'

const WebhookAttempt = Type.Object({
  startedAt: Type.Integer(),
  durationMs: Type.Integer(),
  status: Type.Optional(Type.Integer({ description: 'of HTTP; absent without an answer' })),
  answer: Type.Optional(Type.String({ description: 'the beginning of the answer' })),
  error: Type.Optional(Type.String()),
})

/** A delivery to a webhook and its result. */
export const WebhookDelivery = Type.Object(
  {
    deliveryId: Type.String({ description: 'the header `webhook-id` of every attempt' }),
    createdAt: Type.Integer(),
    state: Type.Enum(['waiting', 'sending', 'delivered', 'failed']),
    nextAttemptAt: Type.Optional(Type.Integer()),
    body: Type.Unknown({ description: 'what is posted' }),
    attempts: Type.Array(WebhookAttempt, { description: 'oldest first' }),
  },
  { $id: 'WebhookDelivery' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveries = Type.Object(
  { webhookId: Type.String(), deliveries: Type.Array(WebhookDelivery) },
  { $id: 'WebhookDeliveries' },
)
export type WebhookDeliveries = Static<typeof WebhookDeliveries>

/** Lists deliveries to a webhook of the caller's organization, newest first (not in the specification). */
export class ListWebhookDeliveries {
  static readonly operation = operation({
    id: 'listWebhookDeliveries',
    group: 'organizations',
    at: 'GET /organizationWebhooks/:webhookId/deliveries',
    who: withRight('organizationSettings'),
    summary: 'List what was sent to a webhook; read on with until = createdAt of the last one until the list is empty',
    description: 'Newest first, with what each attempt was answered.',
    params: WebhookParams,
    query: Type.Object({
      until: Type.Optional(Type.Integer({ minimum: 0 })),
      state: Type.Optional(Type.Enum(['waiting', 'sending', 'delivered', 'failed'])),
    }),
    answer: WebhookDeliveries,
    refuses: ['webhookNotFound'],
  })
  static readonly inject = { webhooks: WebhookStore, deliveries: Deliveries, limits: Limits }

  constructor(private readonly use: Injected<typeof ListWebhookDeliveries.inject>) {}

  async execute(
    _caller: Caller,
    { businessId: bin, webhookId, query = {} }: Admitted<typeof ListWebhookDeliveries.operation>,
  ): Promise<WebhookDeliveries> {
    await this.use.webhooks.get(bin, webhookId)
    const page = await this.use.deliveries.page(
      { owner: bin, channel: WEBHOOK_CHANNEL, target: webhookId, ...query },
      this.use.limits.itemsPerPage,
    )
    const attempts = await this.use.deliveries.attempts(page.map(({ id }) => id))
    return { webhookId, deliveries: page.map((delivery) => shown(delivery, attempts)) }
  }
}

const shown = ({ id, createdAt, state, nextAt, payload }: Delivery, attempts: readonly Attempt[]): WebhookDelivery => ({
  deliveryId: id,
  createdAt,
  state,
  ...(state === 'waiting' && { nextAttemptAt: nextAt }),
  body: (payload as WebhookPayload).body,
  attempts: attempts
    .filter(({ deliveryId }) => deliveryId === id)
    .map(({ startedAt, durationMs, status, answer, error }) => ({
      startedAt,
      durationMs,
      ...(status !== undefined && { status }),
      ...(answer !== undefined && { answer }),
      ...(error !== undefined && { error }),
    })),
})
