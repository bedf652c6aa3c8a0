import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Clock } from '../kernel/clock.js'
import type { Logger } from '../kernel/logger.js'
import type { DeliveryChannel, DeliveryListener, DeliveryTimes } from './channel.js'
import type { Outcome } from './delivery.js'
import type { Claimed, DeliveryQueue, Settled } from './delivery-queue.js'
import { Lanes } from './lanes.js'

const CLAIMED_AT_ONCE = 100
/** Claimed deliveries in memory: enough that no lane of many runs dry. */
const MAX_HELD = 1000
const RECOVERIES_PER_LEASE = 4
/** However long leases are, what a dead host left is looked for so often. */
const RECOVER_MS = 10_000
/** What waits in memory for its turn must not run out of its lease. */
const ATTEMPTS_PER_LEASE = 3
const MAX_PAUSE_MS = 24 * 60 * 60 * 1000
/** While more is under way, outcomes wait for others so long: a commit to disk costs as much for one as for all of them. */
const GATHERING_MS = 60
/** Retries of many deliveries that failed together shall not come together. */
const JITTER = 0.2

/** What a worker needs; `listeners` must not throw. */
export interface WorkerParts {
  readonly queue: DeliveryQueue
  readonly listeners: readonly DeliveryListener[]
  readonly times: DeliveryTimes
  readonly clock: Clock
  readonly logger: Logger
}

/** Works off one channel on this host: claims what is due, hands it to the channel, and keeps what came of it. */
export class ChannelWorker {
  private readonly lanes: Lanes
  private readonly leaseMs: number
  private readonly attempts = new Set<Promise<void>>()
  private settled: Settled[] = []
  /** Of `settled`, and of what is being kept just now. */
  private unsettled = 0
  private settling: Promise<void> | undefined
  private loop: Promise<void> | undefined
  private stopping = false
  private awake = false
  private wakeUp: (() => void) | undefined
  private recoveredAt = 0
  /** The last claim left something behind. */
  private hasMore = false

  constructor(
    private readonly channel: DeliveryChannel,
    private readonly use: WorkerParts,
  ) {
    this.leaseMs = Math.max(use.times.leaseMs, ATTEMPTS_PER_LEASE * channel.timeoutMs)
    this.lanes = new Lanes(channel.atOnce, channel.atOncePerTarget)
  }

  start(): void {
    this.stopping = false
    this.loop ??= this.work()
  }

  /** Resolves when the attempts that have begun have ended, and what was claimed beyond them is given back. */
  async stop(): Promise<void> {
    this.stopping = true
    this.wake()
    await this.loop
    this.loop = undefined
    await Promise.all(this.attempts)
    await this.settling
    await this.giveBack(this.lanes.clear(), this.use.clock.now())
  }

  /** Says that there may be something to do. */
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

  /** Claims and begins; true when there may be more that is due. */
  private async claim(): Promise<boolean> {
    const { queue, clock } = this.use
    // By the machine's clock: a registry's clock that is turned ahead must not take away what is under way here.
    if (Math.abs(Date.now() - this.recoveredAt) >= Math.min(this.leaseMs / RECOVERIES_PER_LEASE, RECOVER_MS)) {
      this.recoveredAt = Date.now()
      await queue.recover(this.channel.name)
    }
    const limit = Math.min(CLAIMED_AT_ONCE, MAX_HELD - this.lanes.held - this.unsettled)
    this.hasMore = true
    if (limit <= 0) return false
    const busy = this.lanes.busyTargets(clock.now())
    const claimed = await queue.claim(this.channel.name, limit, busy, this.leaseMs)
    for (const one of claimed) this.lanes.add(one)
    this.begin()
    const isFull = claimed.length === limit
    this.hasMore = isFull || busy.length > 0
    return isFull
  }

  private begin(): void {
    while (!this.stopping) {
      const next = this.lanes.next()
      if (next === undefined) return
      const attempt = this.attempt(next)
      this.attempts.add(attempt)
      void attempt.finally(() => this.attempts.delete(attempt))
    }
  }

  private async attempt(claimed: Claimed): Promise<void> {
    const { clock } = this.use
    const startedAt = clock.now()
    // The lease has to last for the whole attempt: what waited too long here is another host's as well.
    if (startedAt + this.channel.timeoutMs >= claimed.nextAt) {
      this.lanes.done(claimed)
      await this.giveBack([claimed], startedAt)
      return
    }
    const begun = performance.now()
    const outcome = await this.outcomeOf(claimed)
    const state = this.stateAfter(claimed, outcome)
    const nextAt = state === 'waiting' ? clock.now() + this.pauseAfter(claimed, outcome) : undefined
    this.settled.push({
      claimed,
      attempt: {
        ...{ deliveryId: claimed.id, attempt: claimed.attempts + 1, startedAt, outcome: outcome.state },
        ...{ durationMs: Math.round(performance.now() - begun), status: outcome.status, answer: outcome.answer },
        error: outcome.state === 'delivered' ? undefined : outcome.error,
      },
      state,
      nextAt,
    })
    this.unsettled += 1
    this.settling ??= this.settleAll()
    this.tell(claimed, outcome, state)
    const rests = outcome.state === 'later' && outcome.restTarget === true && nextAt !== undefined
    const others = this.lanes.done(claimed, rests ? nextAt : undefined)
    if (others.length > 0) await this.giveBack(others, nextAt ?? startedAt)
    this.begin()
    // What waits in memory goes low: time to claim more.
    if (this.hasMore && this.lanes.isLow(claimed.target)) this.wake()
    await this.settling
  }

  private async outcomeOf(claimed: Claimed): Promise<Outcome> {
    if (claimed.failures > this.channel.retriesMs.length)
      return { state: 'failed', error: 'The host stopped each time' }
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

  /** Keeps what attempts came to, many together: one commit costs more than many rows. */
  private async settleAll(): Promise<void> {
    while (this.settled.length > 0) {
      if (this.settled.length < CLAIMED_AT_ONCE && this.lanes.held > 0) await pauseFor(GATHERING_MS)
      const some = this.settled.splice(0, CLAIMED_AT_ONCE)
      await this.use.queue.settle(some).catch((error: unknown) => {
        // They are delivered again when their leases end: a repeat is better than a loss.
        this.use.logger.error('What became of deliveries was not kept', { channel: this.channel.name, error })
      })
      this.unsettled -= some.length
      if (this.hasMore && this.lanes.held === 0) this.wake()
    }
    this.settling = undefined
  }

  private async giveBack(claimed: readonly Claimed[], at: number): Promise<void> {
    if (claimed.length === 0) return
    await this.use.queue.giveBack(claimed, at).catch((error: unknown) => {
      this.use.logger.warn('Deliveries wait for the end of their leases', { channel: this.channel.name, error })
    })
  }

  private async pause(): Promise<void> {
    if (this.awake) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.use.times.pollMs)
      this.wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.wakeUp = undefined
  }
}
