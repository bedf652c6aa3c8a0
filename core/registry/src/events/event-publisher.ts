import { Database } from '../database/database.js'
import { Deliveries, type NewDelivery } from '../deliveries/index.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import { Logger } from '../kernel/logger.js'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import type { NewEvent, RegistryEvent } from './event.js'

/** Contribution: says which deliveries events cause. */
export interface EventSubscriber {
  /** What it is asked about; every event unless given. */
  readonly concerns?: ReadonlySet<RegistryEvent['type']>
  /**
   * Runs inside the transaction that made the events happen, and again when that transaction loses a race: it must do
   * nothing but read the database. What it throws undoes the transaction.
   */
  deliveriesFor(events: readonly RegistryEvent[]): Promise<readonly NewDelivery[]>
}
export const EventSubscriber = port<EventSubscriber>('EventSubscriber', 'contribution')

/**
 * Contribution: hears in process what happened in this registry.
 * It is called once for each event, after the commit and in the order of the transaction, and nobody waits for it. A
 * host that stops in between never calls it: what must not be lost is a delivery (`EventSubscriber`).
 */
export interface EventObserver {
  heard(event: RegistryEvent): void | Promise<void>
}
export const EventObserver = port<EventObserver>('EventObserver', 'contribution')

/** Tells what happened: subscribers in the transaction that made it happen, listeners after its commit. */
export class EventPublisher {
  static readonly inject = {
    database: Database,
    deliveries: Deliveries,
    subscribers: EventSubscriber,
    listeners: EventObserver,
    clock: Clock,
    logger: Logger,
  }

  constructor(private readonly use: Injected<typeof EventPublisher.inject>) {}

  /** Publishes events; what they cause to be delivered is kept in the caller's transaction, or nothing is. */
  async publish(...happened: readonly NewEvent[]): Promise<void> {
    if (happened.length === 0) return
    const createdAt = this.use.clock.now()
    const events = happened.map((one): RegistryEvent => ({ eventId: newId(), createdAt, ...one }))
    for (const subscriber of this.use.subscribers) {
      const { concerns } = subscriber
      const some = concerns ? events.filter(({ type }) => concerns.has(type)) : events
      const caused = some.length === 0 ? [] : await subscriber.deliveriesFor(some)
      if (caused.length > 0) await this.use.deliveries.add(caused)
    }
    this.use.database.afterCommit(() => {
      for (const event of events) this.tell(event)
    })
  }

  /** What a listener throws hurts neither the caller nor the others. */
  private tell(event: RegistryEvent): void {
    for (const listener of this.use.listeners) {
      // The call is inside the promise, so that what it throws at once is caught as well.
      new Promise<void>((resolve) => resolve(listener.heard(event))).catch((error: unknown) => {
        this.use.logger.error('An event listener failed', { event: event.type, error })
      })
    }
  }
}
