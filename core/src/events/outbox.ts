import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import { all } from '../kernel/token.js'
import type { Happening, RegistryEvent } from './event.js'
import { EventListener, tell } from './event-listener.js'

/** Keeps events in the transaction that makes them happen: both are there, or neither. */
export class Outbox {
  static readonly inject = [Database, Clock, all(EventListener)] as const

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly listeners: EventListener[] | undefined,
  ) {}

  /** Adds an event; listeners in process hear of it after the commit. */
  async add(happening: Happening): Promise<void> {
    const event: RegistryEvent = { eventId: newId(), createdAt: this.clock.now(), ...happening }
    await this.database.query('registry_outbox').insert({
      event_id: event.eventId,
      type: event.type,
      created_at: event.createdAt,
      payload: JSON.stringify(event),
    })
    this.database.afterCommit(() => tell(this.listeners ?? [], event))
  }
}
