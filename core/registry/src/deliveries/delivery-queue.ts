import type { Knex } from 'knex'
import { Database } from '../database/database.js'
import { skippingLocked } from '../database/dialect.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import { DeliveryTimes } from './channel.js'
import { ATTEMPTS, type Attempt, DELIVERIES, type Delivery, HOST_STOPPED, MAX_ANSWER, MAX_ERROR } from './delivery.js'
import { type Share, within } from './share.js'

/** A delivery that this host holds while it renews its lease. `attempts` does not count the one to come. */
export interface Claimed extends Delivery {
  readonly lease: string
}

/** The new state of a claimed delivery after an attempt. */
export interface Settled {
  readonly claimed: Claimed
  readonly attempt: Attempt
  readonly state: 'waiting' | 'delivered' | 'failed'
  /** Of the next attempt, where there is one. */
  readonly nextAt: number | undefined
  /** What the channel noted. */
  readonly note?: object | undefined
}

/** A lease that ends so many lives ahead was dated by a wrong clock. */
const ABSURD_LEASES = 20
/** Times so far in the future were set by a wrong clock. */
const WRONG_CLOCK_MS = 5 * 60_000

/**
 * Leases each delivery to one host at a time, and stores outcomes. A `waiting` row with a lease is held by a host that has
 * not started it: it is due again when the lease expires. A `sending` row has been started.
 */
export class DeliveryQueue {
  static readonly inject = { database: Database, clock: Clock, times: DeliveryTimes }

  constructor(private readonly use: Injected<typeof DeliveryQueue.inject>) {}

  /**
   * Leases to this host the deliveries of a channel that have been due longest, except those for some targets: of a share,
   * if one is given.
   */
  async claim(channel: string, limit: number, exceptTargets: readonly string[], share?: Share): Promise<Claimed[]> {
    const { database, clock, times } = this.use
    return database.transaction(async () => {
      const now = clock.now()
      const due = this.rows()
        .where({ channel, state: 'waiting' })
        .andWhere('next_at', '<=', now)
        .orderBy('next_at')
        .limit(limit)
      if (exceptTargets.length > 0) void due.whereNotIn('target', exceptTargets)
      // Found without locks first: a lock on what is passed over would be in the way of the host that takes it, and at nodes
      // of a cluster its commit would undo this claim.
      const ids = share && (await this.idsIn(share, due, now))
      if (ids?.length === 0) return []
      const some = ids === undefined ? due : this.rows().whereIn('id', ids).andWhere({ state: 'waiting' })
      if (ids !== undefined) void some.andWhere('next_at', '<=', now)
      const rows: Row[] = await skippingLocked(some, database.dialect).select(DELIVERIES.columns)
      if (rows.length === 0) return []
      const lease = newId()
      const held = { lease, nextAt: now + times.leaseMs }
      await this.rows()
        .whereIn(
          'id',
          rows.map(({ id }) => id),
        )
        .update(DELIVERIES.row(held))
      return rows.map((row) => ({ ...DELIVERIES.read(row), ...held }))
    })
  }

  /** Renews the leases of claimed deliveries, started or not; lost ones stay lost. */
  async renew(claimed: readonly Claimed[]): Promise<void> {
    const { database, clock, times } = this.use
    const nextAt = clock.now() + times.leaseMs
    await database.transaction(() => this.held(claimed).update(DELIVERIES.row({ nextAt })))
  }

  /**
   * Counts an attempt of each before it is made, so that it counts even if the host dies in it. Returns those that this host
   * still holds: no others may be tried.
   */
  async begin(claimed: readonly Claimed[]): Promise<ReadonlySet<Claimed>> {
    const { database, clock, times } = this.use
    return database.transaction(async () => {
      const begun = {
        ...DELIVERIES.row({ state: 'sending', nextAt: clock.now() + times.leaseMs }),
        attempts: database.query.raw('attempts + 1'),
      }
      const count: number = await this.held(claimed).update(begun)
      if (count === claimed.length) return new Set(claimed)
      const leases = new Set<string>(
        await this.held(claimed)
          .select('id', 'lease')
          .then((rows) => rows.map(pairOf)),
      )
      return new Set(claimed.filter((one) => leases.has(pairOf(one))))
    })
  }

  /** Releases claimed deliveries that were not started; they are due at `at`. */
  async giveBack(claimed: readonly Claimed[], at: number): Promise<void> {
    await this.use.database.transaction(() =>
      this.held(claimed)
        .andWhere({ state: 'waiting' })
        .update(DELIVERIES.row({ lease: undefined, nextAt: at })),
    )
  }

  /** Stores attempts and their outcomes, except of deliveries that this host no longer holds. */
  async settle(settled: readonly Settled[]): Promise<void> {
    const { database, clock, times } = this.use
    await database.transaction(async () => {
      const now = clock.now()
      const ids = settled.map(({ claimed }) => claimed.id)
      const held: { id: string; lease: string | null }[] = await this.rows()
        .whereIn('id', ids)
        .forUpdate()
        .select('id', 'lease')
      const leases = new Map(held.map(({ id, lease }) => [id, lease]))
      const ours = settled.filter(({ claimed: { id, lease } }) => leases.get(id) === lease)
      const delivered = ours.filter(
        ({ state, claimed, note }) => state === 'delivered' && claimed.attempts === 0 && note === undefined,
      )
      if (delivered.length > 0) {
        const done = DELIVERIES.row({
          ...{ state: 'delivered', attempts: 1, lease: undefined, lastAt: now, nextAt: now + times.keepDeliveredMs },
        })
        await this.rows()
          .whereIn(
            'id',
            delivered.map(({ claimed }) => claimed.id),
          )
          .update(done)
      }
      for (const one of ours) if (!delivered.includes(one)) await this.settleOne(one, now)
      const attempts = ours.map(({ attempt }) => ATTEMPTS.row(cut(attempt)))
      if (attempts.length > 0) await database.query(ATTEMPTS.name).insert(attempts)
    })
  }

  /**
   * Releases deliveries that hosts started and did not finish within their leases. The attempt is counted already, but not as
   * a failure: a host that is killed again and again uses up no retries. What this host holds stays with it, whatever the clock.
   */
  async recover(channel: string, held: readonly Claimed[] = []): Promise<number> {
    const { database, clock, times } = this.use
    const now = clock.now()
    return database.transaction(() =>
      this.rows()
        .where({ channel, state: 'sending' })
        .whereNotIn('id', idsOf(held))
        .andWhere((ended) =>
          ended.where('next_at', '<=', now).orWhere('next_at', '>', now + ABSURD_LEASES * times.leaseMs),
        )
        .update(DELIVERIES.row({ state: 'waiting', lease: undefined, nextAt: now, lastError: HOST_STOPPED })),
    )
  }

  /** Makes due what waits for a time set by a wrong clock; returns how many. */
  async correct(channel: string): Promise<number> {
    const { database, clock, times } = this.use
    const now = clock.now()
    const wrong = now + WRONG_CLOCK_MS
    return database.transaction(() =>
      this.rows()
        .where({ channel, state: 'waiting' })
        .andWhere('next_at', '>', wrong)
        .andWhere((of) =>
          of
            .where('created_at', '>', wrong)
            .orWhere('last_at', '>', wrong)
            .orWhere((held) =>
              held.whereNotNull('lease').andWhere('next_at', '>', now + ABSURD_LEASES * times.leaseMs),
            ),
        )
        .update(DELIVERIES.row({ lease: undefined, nextAt: now })),
    )
  }

  /** Deletes up to `limit` deliveries that are no longer kept; returns how many. */
  async sweep(channel: string, limit: number): Promise<number> {
    return this.use.database.transaction(async () => {
      let swept = 0
      for (const state of ['delivered', 'failed'] as const) {
        const ids: string[] = await this.rows()
          .where({ channel, state })
          .andWhere('next_at', '<=', this.use.clock.now())
          .orderBy('next_at')
          .limit(limit)
          .pluck('id')
        await this.use.database.query(ATTEMPTS.name).whereIn('delivery_id', ids).delete()
        swept += await this.rows().whereIn('id', ids).andWhere({ state }).delete()
      }
      return swept
    })
  }

  /** The backlog of a channel. */
  async depth(channel: string): Promise<QueueDepth> {
    const counts: { state: string; total: number | string; oldest: number | string }[] = await this.rows()
      .where({ channel })
      .whereIn('state', ['waiting', 'sending', 'failed'])
      .groupBy('state')
      .select('state')
      .count({ total: '*' })
      .min({ oldest: 'created_at' })
    const sum = (rows: typeof counts) => rows.reduce((total, row) => total + Number(row.total), 0)
    const pending = counts.filter(({ state }) => state !== 'failed')
    return {
      pending: sum(pending),
      failed: sum(counts) - sum(pending),
      oldestAt: pending.length === 0 ? undefined : Math.min(...pending.map(({ oldest }) => Number(oldest))),
    }
  }

  /** What is due of a share; or, when that is nothing, what another host should long have claimed, such as one whose clock is slow. */
  private async idsIn(share: Share, due: Knex.QueryBuilder, now: number): Promise<string[]> {
    const ids: string[] = await within(due.clone(), share).pluck('id')
    return ids.length > 0
      ? ids
      : due
          .clone()
          .andWhere('next_at', '<=', now - this.use.times.leaseMs)
          .pluck('id')
  }

  private async settleOne({ claimed, attempt, state, nextAt, note }: Settled, now: number): Promise<void> {
    const { keepDeliveredMs, keepFailedMs } = this.use.times
    const failures = claimed.failures + (state === 'delivered' ? 0 : 1)
    await this.rows()
      .where({ id: claimed.id })
      .update(
        DELIVERIES.row({
          ...{ state, attempts: attempt.attempt, failures, lease: undefined, lastAt: now },
          nextAt: nextAt ?? now + (state === 'delivered' ? keepDeliveredMs : keepFailedMs),
          lastError: attempt.error?.slice(0, MAX_ERROR),
          note,
        }),
      )
  }

  /** The rows of deliveries that this host still holds. */
  private held(claimed: readonly Claimed[]): Knex.QueryBuilder {
    const pairs = claimed.map(({ id, lease }) => [id, lease])
    // MariaDB uses no index for pairs: the ids alone find the rows.
    return this.rows().whereIn('id', idsOf(claimed)).whereIn(['id', 'lease'], pairs)
  }

  private rows(): Knex.QueryBuilder {
    return this.use.database.query(DELIVERIES.name)
  }
}

/** The backlog of one channel. */
export interface QueueDepth {
  /** Waiting or being sent. */
  readonly pending: number
  readonly failed: number
  /** When the oldest of those pending was made, milliseconds. */
  readonly oldestAt: number | undefined
}

const pairOf = ({ id, lease }: Pick<Claimed, 'id' | 'lease'>): string => `${id} ${lease}`
const idsOf = (claimed: readonly Claimed[]): string[] => claimed.map(({ id }) => id)

interface Row {
  readonly id: string
  readonly [column: string]: unknown
}

// A character outside the basic plane counts twice here and once in the column: nothing is ever too long.
const cut = ({ answer, error, ...attempt }: Attempt): Attempt => ({
  ...attempt,
  answer: answer?.slice(0, MAX_ANSWER),
  error: error?.slice(0, MAX_ERROR),
})
