import type { NewDelivery } from '../deliveries/index.js'
import { port } from '../kernel/port.js'
import type { RegistryEvent } from './event.js'

/** Contribution: says which deliveries events cause. */
export interface EventSubscriber {
  /**
   * Runs inside the transaction that made the events happen, and again when that transaction loses a race: it must do
   * nothing but read the database. What it throws undoes the transaction.
   */
  deliveriesFor(events: readonly RegistryEvent[]): Promise<readonly NewDelivery[]>
}
export const EventSubscriber = port<EventSubscriber>('EventSubscriber', 'contribution')
