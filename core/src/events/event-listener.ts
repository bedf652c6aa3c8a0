import { token } from '../kernel/token.js'
import type { RegistryEvent } from './event.js'

/**
 * Contribution: hears in process what happened in this registry.
 * It is called once for each event, after the commit and in the order of the transaction, and nobody waits for it. A
 * host that stops in between never calls it: what must not be lost is read from the outbox.
 */
export interface EventListener {
  heard(event: RegistryEvent): void | Promise<void>
}
export const EventListener = token<EventListener>('EventListener')

/** Tells listeners; what one of them throws hurts neither the caller nor the others. */
export function tell(listeners: readonly EventListener[], event: RegistryEvent): void {
  for (const listener of listeners) {
    // The call is inside the promise, so that what it throws at once is caught as well.
    new Promise<void>((resolve) => resolve(listener.heard(event))).catch((error: unknown) => {
      process.emitWarning(`An event listener failed: ${error instanceof Error ? error.message : error}`)
    })
  }
}
