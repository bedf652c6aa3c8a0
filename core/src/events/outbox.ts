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

  /** Adds events; listeners in process hear of them after the commit. */
  async add(...happenings: readonly Happening[]): Promise<void> {
    if (happenings.length === 0) return
    const createdAt = this.clock.now()
    const events = happenings.map((happening): RegistryEvent => ({ eventId: newId(), createdAt, ...happening }))
    await this.database.query('registry_outbox').insert(events.map(toRow))
    this.database.afterCommit(() => {
      for (const event of events) tell(this.listeners ?? [], event)
    })
  }
}

const toRow = (event: RegistryEvent) => ({
  event_id: event.eventId,
  type: event.type,
  created_at: event.createdAt,
  payload: JSON.stringify(event),
})
