import { Database } from '../database/database.js'
import { Deliveries, type NewDelivery } from '../deliveries/index.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import { Logger } from '../kernel/logger.js'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { Tracer } from '../kernel/tracer.js'
import type { NewEvent, RegistryEvent } from './event.js'

/** Decides which deliveries events cause. */
export interface EventSubscriber {
  /** Types of events to pass; all by default. */
  readonly concerns?: ReadonlySet<RegistryEvent['type']>
  /**
   * Runs in the transaction that caused the events, and again when that is retried: it must only read the database. What it
   * throws rolls the transaction back.
   */
  deliveriesFor(events: readonly RegistryEvent[]): Promise<readonly NewDelivery[]>
}
export const EventSubscriber = port<EventSubscriber>('EventSubscriber', 'contribution')

/**
 * Is told in process what happened in this registry: once for each event, after the commit, in the order of the transaction.
 * Nobody waits for it, and a host that stops in between never calls it: what must not be lost is a delivery
 * (`EventSubscriber`).
 */
export interface EventObserver {
  heard(event: RegistryEvent): void | Promise<void>
}
export const EventObserver = port<EventObserver>('EventObserver', 'contribution')

/** Publishes events: to subscribers in the transaction that caused them, to listeners after its commit. */
export class EventPublisher {
  static readonly inject = {
    database: Database,
    deliveries: Deliveries,
    subscribers: EventSubscriber,
    listeners: EventObserver,
    clock: Clock,
    logger: Logger,
    tracer: Tracer,
  }

  constructor(private readonly use: Injected<typeof EventPublisher.inject>) {}

  /** Publishes events, and stores the deliveries that they cause, in the caller's transaction. */
  async publish(...happened: readonly (NewEvent & Pick<RegistryEvent, 'traceparent'>)[]): Promise<void> {
    if (happened.length === 0) return
    const createdAt = this.use.clock.now()
    const traceparent = this.use.tracer?.traceparent()
    const events = happened.map((one): RegistryEvent => ({ eventId: newId(), createdAt, traceparent, ...one }))
    const traces = new Map(events.map((event) => [event.eventId, event.traceparent]))
    for (const subscriber of this.use.subscribers) {
      const { concerns } = subscriber
      const some = concerns ? events.filter(({ type }) => concerns.has(type)) : events
      if (some.length === 0) continue
      const deliveries = await subscriber.deliveriesFor(some)
      await this.use.deliveries.add(
        deliveries.map((one) => (one.eventId === undefined ? one : { traceparent: traces.get(one.eventId), ...one })),
      )
    }
    this.use.database.afterCommit(() => {
      for (const event of events) this.tell(event)
    })
  }

  /** An error of a listener affects neither the caller nor other listeners. */
  private tell(event: RegistryEvent): void {
    for (const listener of this.use.listeners) {
      // Called inside the promise, so that a synchronous error is caught as well.
      new Promise<void>((resolve) => resolve(listener.heard(event))).catch((error: unknown) => {
        this.use.logger.error('An event listener failed', { event: event.type, error })
      })
    }
  }
}
