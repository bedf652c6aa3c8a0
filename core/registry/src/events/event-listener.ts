import { port } from '../kernel/port.js'
import type { RegistryEvent } from './event.js'

/**
 * Contribution: hears in process what happened in this registry.
 * It is called once for each event, after the commit and in the order of the transaction, and nobody waits for it. A
 * host that stops in between never calls it: what must not be lost is a delivery (`EventSubscriber`).
 */
export interface EventListener {
  heard(event: RegistryEvent): void | Promise<void>
}
export const EventListener = port<EventListener>('EventListener', 'contribution')
