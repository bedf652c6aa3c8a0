import type { Knex } from 'knex'
import { Database } from '../database/database.js'
import { skippingLocked } from '../database/dialect.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import { DeliveryTimes } from './channel.js'
import { ATTEMPTS, type Attempt, DELIVERIES, type Delivery, HOST_STOPPED, MAX_ANSWER, MAX_ERROR } from './delivery.js'

/** A delivery that this host holds while it renews its lease. `attempts` are those before the one that it is held for. */
export interface Claimed extends Delivery {
  readonly lease: string
}

/** What becomes of a claimed delivery after an attempt. */
export interface Settled {
  readonly claimed: Claimed
  readonly attempt: Attempt
  readonly state: 'waiting' | 'delivered' | 'failed'
  /** Of the next attempt, where there is one. */
  readonly nextAt: number | undefined
  /** What the channel noted. */
  readonly note?: object | undefined
}

/** Nobody is given so long a lease: a clock was wrong when it was taken. */
const ABSURD_LEASES = 20
/** What was made or tried so much later than now was so under a wrong clock. */
const WRONG_CLOCK_MS = 5 * 60_000

/**
 * Gives deliveries to hosts so that only one has each of them, and keeps what became of them. A row that waits with a lease
 * is held by a host that has not begun with it: when the lease ends, it is due again, and nothing has happened. A row that
 * is `sending` has begun.
 */
export class DeliveryQueue {
  static readonly inject = { database: Database, clock: Clock, times: DeliveryTimes }

  constructor(private readonly use: Injected<typeof DeliveryQueue.inject>) {}

  /** Takes the deliveries of a channel that are due longest, but for some targets, into a lease of this host. */
  async claim(channel: string, limit: number, exceptTargets: readonly string[]): Promise<Claimed[]> {
    const { database, clock, times } = this.use
    return database.transaction(async () => {
      const now = clock.now()
      const due = this.rows()
        .where({ channel, state: 'waiting' })
        .andWhere('next_at', '<=', now)
        .orderBy('next_at')
        .limit(limit)
      if (exceptTargets.length > 0) void due.whereNotIn('target', exceptTargets)
      const rows: Row[] = await skippingLocked(due, database.dialect).select(DELIVERIES.columns)
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

  /** Makes the leases of claimed deliveries, begun or not, last from now on; those that are lost stay lost. */
  async renew(claimed: readonly Claimed[]): Promise<void> {
    const { database, clock, times } = this.use
    const nextAt = clock.now() + times.leaseMs
    await database.transaction(() => this.held(claimed).update(DELIVERIES.row({ nextAt })))
  }

  /**
   * Counts an attempt of each before it is made, so that a host that dies in it has made it. Answers those that this host
   * still holds: no others may be tried.
   */
  async begin(claimed: readonly Claimed[]): Promise<readonly Claimed[]> {
    const { database, clock, times } = this.use
    return database.transaction(async () => {
      const begun = {
        ...DELIVERIES.row({ state: 'sending', nextAt: clock.now() + times.leaseMs }),
        attempts: database.query.raw('attempts + 1'),
      }
      const count: number = await this.held(claimed).update(begun)
      if (count === claimed.length) return claimed
      const leases = new Set<string>(
        await this.held(claimed)
          .select('id', 'lease')
          .then((rows) => rows.map(pairOf)),
      )
      return claimed.filter((one) => leases.has(pairOf(one)))
    })
  }

  /** Lets go of claimed deliveries that were not begun, until `at`. */
  async giveBack(claimed: readonly Claimed[], at: number): Promise<void> {
    await this.use.database.transaction(() =>
      this.held(claimed)
        .andWhere({ state: 'waiting' })
        .update(DELIVERIES.row({ lease: undefined, nextAt: at })),
    )
  }

  /** Keeps attempts and what they came to; leaves alone what this host holds no longer. */
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
   * Lets others have what hosts began and did not end before their leases did. That an attempt was begun is counted already,
   * and it is no failure: a host that is killed again and again gives nothing up. What this host holds itself stays with it,
   * whatever its clock says.
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

  /** Makes due what waits for a time that only a wrong clock has set; answers how many. */
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

  /** Forgets some of what was done long enough ago; answers how many. */
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

  /** What is to be done in a channel. */
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

  /** The rows of deliveries for as long as this host holds them. */
  private held(claimed: readonly Claimed[]): Knex.QueryBuilder {
    const pairs = claimed.map(({ id, lease }) => [id, lease])
    // MariaDB looks pairs up in no index: the identifiers alone find the rows.
    return this.rows().whereIn('id', idsOf(claimed)).whereIn(['id', 'lease'], pairs)
  }

  private rows(): Knex.QueryBuilder {
    return this.use.database.query(DELIVERIES.name)
  }
}

/** What is to be done in one channel. */
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
