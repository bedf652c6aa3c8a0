import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Database } from '../database/database.js'
import type { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import type { Logger } from '../kernel/logger.js'
import type { DeliveryChannel, DeliveryListener, DeliveryTimes } from './channel.js'
import { ChannelHosts } from './channel-hosts.js'
import type { Deliveries } from './deliveries.js'
import type { Outcome } from './delivery.js'
import type { Claimed, DeliveryQueue, Settled } from './delivery-queue.js'
import { Lanes } from './lanes.js'

const CLAIMED_AT_ONCE = 100
/** Claimed deliveries in memory: enough to keep many lanes busy. */
const MAX_HELD = 1000
/** How often, per life of a lease, leases are renewed and those of dead hosts looked for. */
const LOOKS_PER_LEASE = 4
/** The longest interval between looks for the leases of dead hosts. */
const RECOVER_MS = 10_000
const MAX_PAUSE_MS = 24 * 60 * 60 * 1000
/** How long outcomes wait to be committed with others while attempts are under way: one commit costs as much as many. */
const GATHERING_MS = 60
/** How long attempts wait to be counted with others: at most an eighth of what the last one took. */
const MARKING = { ms: 50, share: 8 }
/** Spreads the retries of deliveries that failed at the same time. */
const JITTER = 0.2

/** What a worker needs; `listeners` must not throw. */
export interface WorkerParts {
  readonly database: Database
  readonly deliveries: Pick<Deliveries, 'onAdded'>
  readonly queue: DeliveryQueue
  readonly listeners: readonly DeliveryListener[]
  readonly times: DeliveryTimes
  readonly clock: Clock
  readonly logger: Logger
}

/** Processes one channel on this host: claims what is due, hands it to the channel, and stores the outcome. */
export class ChannelWorker {
  private readonly lanes: Lanes
  /** Absent on SQLite, where claims wait for each other and none is lost. */
  private readonly hosts: ChannelHosts | undefined
  /** What this host holds: in lanes, under way, or with an outcome that is not stored yet. */
  private readonly holding = new Set<Claimed>()
  private beginning: Claimed[] = []
  private marking: Promise<void> | undefined
  private readonly attempts = new Set<Promise<void>>()
  private lastAttemptMs = 0
  private settled: Settled[] = []
  /** The number of outcomes in `settled` and of those that are being stored. */
  private unsettled = 0
  private settling: Promise<void> | undefined
  private loop: Promise<void> | undefined
  private unsubscribe: (() => void) | undefined
  private stopping = false
  private awake = false
  private wakeUp: (() => void) | undefined
  private recoveredAt = 0
  private renewedAt = 0
  private renewing: Promise<void> | undefined
  private renewals: NodeJS.Timeout | undefined
  /** The last claim left due deliveries behind. */
  private hasMore = false

  constructor(
    private readonly channel: DeliveryChannel,
    private readonly use: WorkerParts,
  ) {
    this.lanes = new Lanes(channel.atOnce, channel.atOncePerTarget)
    if (use.database.dialect !== 'sqlite') this.hosts = new ChannelHosts(use.database, channel.name, use.times)
  }

  start(): void {
    this.stopping = false
    this.unsubscribe ??= this.use.deliveries.onAdded(this.channel.name, {
      wake: () => this.wake(),
      // What this host makes it sends, which needs no poll; unless it has much to do.
      newId: () => (this.hasMore ? newId() : (this.hosts?.newId() ?? newId())),
    })
    this.renewals ??= setInterval(() => void this.renew(), this.use.times.pollMs).unref()
    this.loop ??= this.work()
  }

  /** Resolves when running attempts have ended, and other claimed deliveries are given back. */
  async stop(): Promise<void> {
    this.stopping = true
    this.unsubscribe?.()
    this.unsubscribe = undefined
    this.wake()
    await this.loop
    this.loop = undefined
    await this.marking
    await Promise.all(this.attempts)
    await this.settling
    clearInterval(this.renewals)
    this.renewals = undefined
    await this.giveBack(this.lanes.clear(), this.use.clock.now())
    // Others find out by themselves where this fails.
    await this.hosts?.leave().catch(() => undefined)
  }

  /** Tells the worker that something may be due. */
  wake(): void {
    this.awake = true
    this.wakeUp?.()
  }

  private async work(): Promise<void> {
    while (!this.stopping) {
      this.awake = false
      const more = await this.claim().catch((error: unknown) => {
        this.use.logger.error('Deliveries could not be claimed', { channel: this.channel.name, error })
        return false
      })
      if (!more) await this.pause()
    }
  }

  /** Claims and starts deliveries; true when more may be due. */
  private async claim(): Promise<boolean> {
    const { queue, clock, times } = this.use
    await this.renew()
    // By the machine's clock: a test clock that is put forward must not take over what runs elsewhere.
    if (Math.abs(Date.now() - this.recoveredAt) >= Math.min(times.leaseMs / LOOKS_PER_LEASE, RECOVER_MS)) {
      this.recoveredAt = Date.now()
      await queue.recover(this.channel.name, [...this.holding])
    }
    const limit = Math.min(CLAIMED_AT_ONCE, MAX_HELD - this.lanes.held - this.unsettled)
    this.hasMore = true
    if (limit <= 0) return false
    const busy = this.lanes.busyTargets(clock.now())
    const claimed = await queue.claim(this.channel.name, limit, busy, await this.hosts?.share())
    if (this.holding.size === 0) this.renewedAt = clock.now()
    for (const one of claimed) {
      this.holding.add(one)
      this.lanes.add(one)
    }
    this.begin()
    const isFull = claimed.length === limit
    this.hasMore = isFull || busy.length > 0
    return isFull
  }

  /** Renews the leases of all deliveries held here, until their outcomes are stored. */
  private async renew(): Promise<void> {
    const { queue, clock, times } = this.use
    const now = clock.now()
    if (this.holding.size > 0 && Math.abs(now - this.renewedAt) >= times.leaseMs / LOOKS_PER_LEASE)
      this.renewing ??= queue
        .renew([...this.holding])
        .then(() => {
          this.renewedAt = now
        })
        .catch((error: unknown) => {
          this.use.logger.warn('The leases of deliveries were not renewed', { channel: this.channel.name, error })
        })
        .finally(() => {
          this.renewing = undefined
        })
    await this.renewing
  }

  private begin(): void {
    while (!this.stopping) {
      const next = this.lanes.next()
      if (next === undefined) break
      this.beginning.push(next)
    }
    if (this.beginning.length > 0) this.marking ??= this.mark()
  }

  /** Counts attempts before they are made, concurrent ones by one statement. */
  private async mark(): Promise<void> {
    while (this.beginning.length > 0) {
      const pauseMs = Math.floor(Math.min(MARKING.ms, this.lastAttemptMs / MARKING.share))
      if (pauseMs > 0 && this.attempts.size > 0) await pauseFor(pauseMs)
      const some = this.beginning.splice(0)
      if (this.stopping) {
        for (const claimed of some) this.lanes.done(claimed)
        await this.giveBack(some, this.use.clock.now())
        continue
      }
      const ours = await this.use.queue.begin(some).catch((error: unknown) => {
        this.use.logger.error('Deliveries could not be begun', { channel: this.channel.name, error })
        return new Set<Claimed>()
      })
      for (const claimed of some) {
        if (ours.has(claimed)) {
          const attempt = this.attempt(claimed)
          this.attempts.add(attempt)
          void attempt.finally(() => this.attempts.delete(attempt))
        } else {
          this.holding.delete(claimed)
          this.lanes.done(claimed)
        }
      }
    }
    this.marking = undefined
  }

  private async attempt(claimed: Claimed): Promise<void> {
    const [startedAt, begun] = [this.use.clock.now(), performance.now()]
    const outcome = await this.outcomeOf(claimed)
    this.lastAttemptMs = performance.now() - begun
    const state = this.stateAfter(claimed, outcome)
    const nextAt = state === 'waiting' ? this.use.clock.now() + this.pauseAfter(claimed, outcome) : undefined
    this.settled.push({
      claimed,
      attempt: {
        ...{ deliveryId: claimed.id, attempt: claimed.attempts + 1, startedAt, outcome: outcome.state },
        ...{ durationMs: Math.round(this.lastAttemptMs), status: outcome.status, answer: outcome.answer },
        error: outcome.state === 'delivered' ? undefined : outcome.error,
      },
      state,
      nextAt,
      note: outcome.note,
    })
    this.unsettled += 1
    this.settling ??= this.settleAll()
    this.tell(claimed, outcome, state)
    const rests = outcome.state === 'later' && outcome.restTarget === true && nextAt !== undefined
    const others = this.lanes.done(claimed, rests ? nextAt : undefined)
    if (others.length > 0) await this.giveBack(others, nextAt ?? startedAt)
    this.begin()
    // Few are left in memory: time to claim more.
    if (this.hasMore && this.lanes.isLow(claimed.target)) this.wake()
    await this.settling
  }

  private async outcomeOf(claimed: Claimed): Promise<Outcome> {
    const deadline = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Outcome>((resolve) => {
      timer = setTimeout(() => {
        deadline.abort()
        resolve({ state: 'later', error: 'No answer in time', restTarget: true })
      }, this.channel.timeoutMs)
    })
    try {
      return await Promise.race([this.channel.deliver(claimed, deadline.signal), late])
    } catch (error) {
      this.use.logger.error('A channel failed', { channel: this.channel.name, delivery: claimed.id, error })
      return { state: 'later', error: 'The channel failed' }
    } finally {
      clearTimeout(timer)
    }
  }

  private stateAfter({ failures }: Claimed, { state }: Outcome): Settled['state'] {
    if (state !== 'later') return state
    return failures < this.channel.retriesMs.length ? 'waiting' : 'failed'
  }

  private pauseAfter({ failures }: Claimed, outcome: Outcome): number {
    const asked = outcome.state === 'later' ? (outcome.afterMs ?? 0) : 0
    const pause = Math.max(this.channel.retriesMs[failures] ?? 0, Math.min(asked, MAX_PAUSE_MS))
    return Math.round(pause * (1 + JITTER * (Math.random() - 0.5)))
  }

  private tell(claimed: Claimed, outcome: Outcome, state: Settled['state']): void {
    for (const listener of this.use.listeners) listener.attempted(claimed, outcome, state)
    if (state !== 'failed' || outcome.state === 'delivered') return
    const { id, channel, target, owner } = claimed
    this.use.logger.warn('A delivery failed', { delivery: id, channel, target, owner, reason: outcome.error })
  }

  /** Stores the outcomes of attempts in groups: a commit costs more than many rows. */
  private async settleAll(): Promise<void> {
    while (this.settled.length > 0) {
      if (this.settled.length < CLAIMED_AT_ONCE && this.lanes.held > 0) await pauseFor(GATHERING_MS)
      const some = this.settled.splice(0, CLAIMED_AT_ONCE)
      await this.use.queue.settle(some).catch((error: unknown) => {
        // They are delivered again when their leases end: a repeat is better than a loss.
        this.use.logger.error('What became of deliveries was not kept', { channel: this.channel.name, error })
      })
      for (const { claimed } of some) this.holding.delete(claimed)
      this.unsettled -= some.length
      if (this.hasMore && this.lanes.held === 0) this.wake()
    }
    this.settling = undefined
  }

  private async giveBack(claimed: readonly Claimed[], at: number): Promise<void> {
    if (claimed.length === 0) return
    for (const one of claimed) this.holding.delete(one)
    await this.use.queue.giveBack(claimed, at).catch((error: unknown) => {
      this.use.logger.warn('Deliveries wait for the end of their leases', { channel: this.channel.name, error })
    })
  }

  private async pause(): Promise<void> {
    if (this.awake) return
    const woken = new AbortController()
    this.wakeUp = () => woken.abort()
    await pauseFor(this.use.times.pollMs, undefined, { signal: woken.signal }).catch(() => undefined)
    this.wakeUp = undefined
  }
}
