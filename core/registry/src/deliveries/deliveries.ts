import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import { Tracer } from '../kernel/tracer.js'
import type { Attempt, Delivery, DeliveryState, NewDelivery } from './delivery.js'
import { ATTEMPTS, DELIVERIES } from './delivery.js'

const ROWS_AT_ONCE = 30

/** Which deliveries of one owner to list. */
export interface DeliveryQuery {
  readonly owner: string
  readonly channel: string
  readonly target?: string | undefined
  readonly state?: DeliveryState | undefined
  /** Asked for by one of these. */
  readonly askedBy?: readonly string[] | undefined
  /** Made before this time, milliseconds. */
  readonly until?: number | undefined
}

/** Selects deliveries of one owner in one channel. */
export interface DeliverySelection {
  readonly owner: string
  readonly channel: string
  readonly target?: string | undefined
  readonly id?: string | undefined
  /** Made at this time or later, milliseconds. */
  readonly since?: number | undefined
}

/** Sends the deliveries of a channel in this process. */
export interface Sender {
  /** Is called after each commit in this process that added some. */
  wake(): void
  /** An identifier for one that is added. */
  newId(): string
}

/** Stores and lists deliveries, and repeats failed ones. */
export class Deliveries {
  static readonly inject = { database: Database, clock: Clock, tracer: Tracer }
  private readonly senders = new Map<string, Sender>()

  constructor(private readonly use: Injected<typeof Deliveries.inject>) {}

  /** Stores deliveries in the caller's transaction, after which they are sent. Returns their identifiers. */
  async add(deliveries: readonly NewDelivery[]): Promise<string[]> {
    const now = this.use.clock.now()
    const current = this.use.tracer?.traceparent()
    const rows = deliveries.map((delivery) => {
      const { channel, target, owner, eventId, askedBy, payload, notBefore = now } = delivery
      return DELIVERIES.row({
        ...{
          id: this.senders.get(channel)?.newId() ?? newId(),
          channel,
          target,
          owner,
          eventId,
          askedBy,
          payload,
          state: 'waiting',
          attempts: 0,
          failures: 0,
        },
        ...{ createdAt: now, nextAt: notBefore, lease: undefined, lastError: undefined, lastAt: undefined },
        note: undefined,
        traceparent: 'traceparent' in delivery ? delivery.traceparent : current,
      })
    })
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      await this.use.database.insertLater(DELIVERIES.name, rows.slice(from, from + ROWS_AT_ONCE))
    }
    if (rows.length > 0) this.wake(deliveries.map(({ channel }) => channel))
    return rows.map(({ id }) => String(id))
  }

  async get(id: string): Promise<Delivery | undefined> {
    const row: Record<string, unknown> | undefined = await this.deliveries().where({ id }).first(DELIVERIES.columns)
    return row && DELIVERIES.read(row)
  }

  /** Deliveries of an owner, newest first; a page never splits a millisecond. */
  async page({ owner, channel, target, state, askedBy, until }: DeliveryQuery, limit: number): Promise<Delivery[]> {
    const query = () => {
      const some = this.deliveries().where({ owner, channel }).select(DELIVERIES.columns)
      if (target !== undefined) void some.andWhere({ target })
      if (state !== undefined) void some.andWhere({ state })
      if (askedBy !== undefined) void some.whereIn('asked_by', askedBy)
      return some.orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
    }
    const first = query().limit(limit)
    if (until !== undefined) void first.andWhere('created_at', '<', until)
    const page = (await first).map(readDelivery)
    const last = page.at(-1)
    if (page.length < limit || last === undefined) return page
    const rest: Record<string, unknown>[] = await query()
      .andWhere({ created_at: last.createdAt })
      .andWhere('id', '<', last.id)
    return [...page, ...rest.map(readDelivery)]
  }

  /** Finished attempts of deliveries, oldest first. */
  async attempts(ids: readonly string[]): Promise<Attempt[]> {
    const rows: Record<string, unknown>[] = await this.use.database
      .query(ATTEMPTS.name)
      .whereIn('delivery_id', ids)
      .orderBy(['delivery_id', 'attempt'])
      .select(ATTEMPTS.columns)
    return rows.map((row) => ATTEMPTS.read(row))
  }

  /** Repeats finished deliveries, and sends waiting ones at once; not those under way. Returns how many. */
  async again(some: DeliverySelection): Promise<number> {
    const restart = DELIVERIES.row({ state: 'waiting', failures: 0, nextAt: this.use.clock.now(), lease: undefined })
    return this.use.database.transaction(async () => {
      const count = await this.select(some).andWhereNot({ state: 'sending' }).update(restart)
      this.wake([some.channel])
      return count
    })
  }

  /** Those of the owners that have unfinished deliveries in a channel. */
  async pendingOwners(channel: string, owners: readonly string[]): Promise<ReadonlySet<string>> {
    const rows: string[] = await this.deliveries()
      .where({ channel })
      .whereIn('owner', owners)
      .whereIn('state', ['waiting', 'sending'])
      .distinct()
      .pluck('owner')
    return new Set(rows)
  }

  /** True when there is any. */
  async has(some: DeliverySelection): Promise<boolean> {
    return (await this.select(some).first('id')) !== undefined
  }

  /** Names who sends the deliveries of a channel in this process; returns a function to unsubscribe. */
  onAdded(channel: string, sender: Sender): () => void {
    this.senders.set(channel, sender)
    return () => void this.senders.delete(channel)
  }

  private wake(channels: readonly string[]): void {
    this.use.database.afterCommit(() => {
      for (const channel of new Set(channels)) this.senders.get(channel)?.wake()
    })
  }

  private select({ owner, channel, target, id, since }: DeliverySelection) {
    const given = { owner, channel, ...(target !== undefined && { target }), ...(id !== undefined && { id }) }
    const some = this.deliveries().where(given)
    return since === undefined ? some : some.andWhere('created_at', '>=', since)
  }

  private deliveries() {
    return this.use.database.query(DELIVERIES.name)
  }
}

const readDelivery = (row: Record<string, unknown>): Delivery => DELIVERIES.read(row)
