import Type, { type Static } from 'typebox'

export const WebhookParams = Type.Object({ webhookId: Type.String() })

/** A webhook address of an organization (not in the specification). */
export const Webhook = Type.Object(
  {
    webhookId: Type.String(),
    url: Type.String(),
    lists: Type.Array(Type.Enum(['urls', 'routingUrls']), {
      description: 'where it stands in `webhooks` of the settings',
    }),
    secret: Type.String({ description: 'proves webhooks by the rules of standardwebhooks.com' }),
    previousSecretUntil: Type.Optional(
      Type.Integer({ description: 'until when the secret before this one proves them as well' }),
    ),
    failingSince: Type.Optional(Type.Integer({ description: 'since when nothing has arrived' })),
    pausedAt: Type.Optional(
      Type.Integer({ description: 'since when nothing is sent there; a ping that arrives ends it' }),
    ),
  },
  { $id: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>
