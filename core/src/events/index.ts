export type { Happening, ItemStatus, RegistryEvent, Subject } from './event.js'
export { EventListener } from './event-listener.js'
export { eventsModule } from './module.js'
export { Outbox } from './outbox.js'
