import { area } from '../kernel/part.js'
import { EventPublisher } from './event-publisher.js'
import * as outbox from './migrations/0009-outbox.js'

export const eventsArea = area({
  name: 'events',
  migrations: { '0009-outbox': outbox },
  services: [EventPublisher],
})
