import { DeliveryChannel } from '../deliveries/index.js'
import { EventSubscriber } from '../events/index.js'
import { area } from '../kernel/part.js'
import { provide, provideValue } from '../kernel/service.js'
import { webhookErrors } from './errors.js'
import * as webhooks from './migrations/0051-webhooks.js'
import * as operations from './operations.js'
import { WebhookSender, WebhookSuccess } from './sender.js'
import { WebhookChannel } from './webhook-channel.js'
import { WebhookStore } from './webhook-store.js'
import { WebhookSubscriber } from './webhook-subscriber.js'

export const webhooksArea = area({
  name: 'webhooks',
  errors: [webhookErrors],
  migrations: { '0051-webhooks': webhooks },
  services: [WebhookStore, WebhookSubscriber, WebhookChannel],
  provides: [
    provideValue(WebhookSender, undefined),
    provideValue(WebhookSuccess, '200'),
    provide(EventSubscriber, WebhookSubscriber),
    provide(DeliveryChannel, WebhookChannel),
  ],
  operations: Object.values(operations),
})
