export { eventsArea } from './area.js'
export { ITEM_STATUSES, type ItemStatus, type NewEvent, type RegistryEvent, type Subject } from './event.js'
export { EventObserver, EventPublisher, EventSubscriber } from './event-publisher.js'
