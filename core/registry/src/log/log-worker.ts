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
import { WitnessMarks } from './witness-marks.js'

/** Milliseconds between rounds. */
export interface LogTimes {
  /** Entries that come within this time share a round: a round costs much more than an entry. */
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
    witnessed: WitnessMarks,
    logger: Logger,
  }
  private readonly holder = randomBytes(ID_BYTES).toString('base64url')
  private stopping: AbortController | undefined
  private work: Promise<void> | undefined
  private isAwake = false
  private wakeUp: (() => void) | undefined
  private stamping: Promise<void> | undefined
  private told: string | undefined
  /** Until when others are let first, by the clock of the process. */
  private leavesUntil = 0

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
    await this.stamping
    this.stopping = undefined
  }

  /** Does everything that is due now, if it is this host's turn. Rejects as the database does. */
  async run(): Promise<void> {
    const log = await this.round()
    if (log !== undefined) await this.use.stamp.run(log)
  }

  /** Integrates and publishes; answers the log, and `undefined` where this host leaves it to another. */
  private async round(): Promise<Log | undefined> {
    const { publish, logs, standing, witnessed } = this.use
    await witnessed.follow()
    const log = await logs.begin()
    const halt = await publish.look(log)
    // What no host can sign yet may be integrated; what others can, is left to them.
    const isLeft = halt !== undefined && !(halt === 'noKey' && log.verifierKey === undefined)
    if (isLeft || !this.hasTurn(log)) return undefined
    await standing.add(log)
    const moved = await this.integrate(log)
    await this.publish(moved)
    return moved
  }

  /** Moves all that waits into the tree, and publishes a long backlog as it shrinks. */
  private async integrate(from: Log): Promise<Log> {
    const { integrate, logs } = this.use
    let log = from
    for (let publishedAt = performance.now(); this.stopping?.signal.aborted !== true; ) {
      const turn = { holder: this.holder, heldUntil: Date.now() + this.use.times.turnMs }
      const moved = await integrate.run(log, turn)
      if (moved === undefined) return logs.begin()
      if (moved === log) break
      log = moved
      if (performance.now() - publishedAt < this.use.times.gatherMs) continue
      await this.publish(log)
      log = await logs.begin()
      publishedAt = performance.now()
    }
    return log
  }

  /** A host that cannot publish, as its disk is full, gives its turn back. */
  private async publish(log: Log): Promise<void> {
    const { publish, logs, times } = this.use
    try {
      await publish.run(log)
    } catch (error) {
      this.leavesUntil = performance.now() + times.turnMs
      await logs.moveOn(log, { holder: '', heldUntil: 0 }).catch(() => undefined)
      throw error
    }
  }

  /** A turn that ends far in the future was dated by a wrong clock. */
  private hasTurn({ holder, heldUntil }: Log): boolean {
    if (performance.now() < this.leavesUntil) return false
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
      await this.tell(this.round().then((log) => log && this.stampBeside(log)))
      await pause(this.use.times.gatherMs, stopped)
      if (!this.isAwake && !stopped.aborted) await this.idle(stopped)
    }
    unsubscribe()
  }

  /** The authority may take its time: the log goes on meanwhile. */
  private stampBeside(log: Log): void {
    this.stamping ??= this.tell(this.use.stamp.run(log)).finally(() => {
      this.stamping = undefined
    })
  }

  /** Writes an error to the log of the process, unless it is the same as before. */
  private async tell(work: Promise<unknown>): Promise<void> {
    try {
      await work
      this.told = undefined
    } catch (error) {
      const text = String(error)
      if (text !== this.told) this.use.logger.error('The log could not be moved on; it is tried again', { error })
      this.told = text
    }
  }

  /** Resolves when something was logged, or it is time to look for what other hosts left. */
  private idle(stopped: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        stopped.removeEventListener('abort', end)
        this.wakeUp = undefined
        resolve()
      }
      const timer = setTimeout(end, this.use.times.pollMs)
      stopped.addEventListener('abort', end, { once: true })
      this.wakeUp = end
    })
  }
}

/** Resolves after a time, or at once when the signal says so. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)
