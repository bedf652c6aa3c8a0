import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger } from '../kernel/logger.js'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { IntegrateEntries } from './integrate-entries.js'
import { LogEntries } from './log-entries.js'
import { LogSettings } from './log-settings.js'
import { type Log, LogStore } from './log-store.js'
import { PublishCheckpoint } from './publish-checkpoint.js'
import { StampCheckpoint } from './stamp-checkpoint.js'
import { StandingEntries } from './standing-entries.js'

/** Milliseconds between rounds. */
export interface LogTimes {
  /** Entries that come within this time share a round, which costs much more than an entry. */
  readonly gatherMs: number
  /** How often what other hosts left is looked for. */
  readonly pollMs: number
  /** How long a host has the log to itself after a round. */
  readonly turnMs: number
}
export const LogTimes = port<LogTimes>('LogTimes', 'defaulted')
export const defaultLogTimes: LogTimes = { gatherMs: 1000, pollMs: 2000, turnMs: 5000 }

const ID_BYTES = 12

/** Integrates and publishes between `start` and `stop`. One host does it at a time; two at once are safe, but a waste. */
export class LogWorker {
  static readonly inject = {
    settings: LogSettings,
    times: LogTimes,
    logs: LogStore,
    entries: LogEntries,
    standing: StandingEntries,
    integrate: IntegrateEntries,
    publish: PublishCheckpoint,
    stamp: StampCheckpoint,
    logger: Logger,
  }
  private readonly holder = randomBytes(ID_BYTES).toString('base64url')
  private stopping: AbortController | undefined
  private work: Promise<void> | undefined
  private isAwake = false
  private wakeUp: (() => void) | undefined
  private hasFailed = false

  constructor(private readonly use: Injected<typeof LogWorker.inject>) {}

  start(): void {
    if (!this.use.settings.isOn || this.stopping !== undefined) return
    this.stopping = new AbortController()
    this.work = this.until(this.stopping.signal)
  }

  /** Resolves when the round under way has ended. */
  async stop(): Promise<void> {
    this.stopping?.abort()
    await this.work
    this.stopping = undefined
  }

  /** Does what is due now, if it is this host's turn. Rejects as the database does. */
  async run(): Promise<void> {
    const { integrate, publish, stamp, logs, standing } = this.use
    await standing.add()
    let log: Log | undefined = await logs.begin()
    if (!this.hasTurn(log)) return publish.follow(log)
    for (let publishedAt = performance.now(); ; ) {
      const before: Log = log
      const turn = { holder: this.holder, heldUntil: Date.now() + this.use.times.turnMs }
      log = await integrate.run(before, turn)
      if (log === undefined) return
      if (log === before) break
      // A long backlog is published as it shrinks.
      if (performance.now() - publishedAt < this.use.times.gatherMs) continue
      await publish.run(log)
      log = await logs.begin()
      publishedAt = performance.now()
    }
    await publish.run(log)
    await stamp.run(log)
  }

  /** A turn that ends far in the future was dated by a wrong clock. */
  private hasTurn({ holder, heldUntil }: Log): boolean {
    const leftMs = heldUntil - Date.now()
    return holder === this.holder || leftMs <= 0 || leftMs > 2 * this.use.times.turnMs
  }

  private async until(stopped: AbortSignal): Promise<void> {
    const unsubscribe = this.use.entries.onAdded(() => {
      this.isAwake = true
      this.wakeUp?.()
    })
    while (!stopped.aborted) {
      this.isAwake = false
      await this.tryRun()
      await pause(this.use.times.gatherMs, stopped)
      if (!this.isAwake) await this.idle(stopped)
    }
    unsubscribe()
  }

  private async tryRun(): Promise<void> {
    try {
      await this.run()
      this.hasFailed = false
    } catch (error) {
      if (!this.hasFailed) this.use.logger.error('The log could not be moved on; it is tried again', { error })
      this.hasFailed = true
    }
  }

  /** Resolves when something was logged, or it is time to look for what other hosts left. */
  private async idle(stopped: AbortSignal): Promise<void> {
    const woken = new AbortController()
    this.wakeUp = () => woken.abort()
    await pause(this.use.times.pollMs, AbortSignal.any([stopped, woken.signal]))
    this.wakeUp = undefined
  }
}

/** Resolves after a time, or at once when the signal says so. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)
