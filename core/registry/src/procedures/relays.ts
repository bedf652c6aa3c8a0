import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import { outsideOfRequests } from '../kernel/outside-of-requests.js'
import type { Injected } from '../kernel/service.js'
import { AppSide } from './app-side.js'
import { FindProcedure } from './find-procedure.js'
import { HeldCalls } from './held-calls.js'
import { MobileApp } from './mobile-app.js'
import { MoveProcedure } from './move-procedure.js'
import { ProcedureStore } from './procedure-store.js'
import { RelayedProcedure } from './relayed-procedure.js'

const LOOK_MS = 5000
const AT_ONCE = 1000

/**
 * Handles, between `start` and `stop`, procedures that the app reaches through a relay: each on one host, and on another when
 * that one dies.
 */
export class Relays {
  static readonly inject = {
    app: MobileApp,
    side: AppSide,
    find: FindProcedure,
    procedures: ProcedureStore,
    moves: MoveProcedure,
    held: HeldCalls,
    clock: Clock,
    logger: Logger,
  }
  private readonly work = new Map<string, Promise<void>>()
  private stopping: AbortController | undefined
  private looking: NodeJS.Timeout | undefined

  constructor(private readonly use: Injected<typeof Relays.inject>) {}

  start(): void {
    if (this.use.app.relay === undefined || this.stopping !== undefined) return
    this.stopping = new AbortController()
    const look = () =>
      void this.look().catch((error: unknown) => this.use.logger.warn('Relays could not look around', { error }))
    this.looking = setInterval(look, LOOK_MS).unref()
    look()
  }

  /** Releases every procedure for other hosts. */
  async stop(): Promise<void> {
    clearInterval(this.looking)
    this.stopping?.abort()
    await Promise.all(this.work.values())
    this.stopping = undefined
  }

  /** Handles a procedure, unless another host does. */
  follow(id: string): void {
    const { relay } = this.use.app
    if (relay === undefined || this.stopping === undefined || this.stopping.signal.aborted || this.work.has(id)) return
    const one = new RelayedProcedure(id, relay, this.use, this.stopping.signal)
    const ended = outsideOfRequests(() => one.follow())
      .catch((error: unknown) => this.use.logger.warn('A relayed procedure was let go', { error }))
      .finally(() => this.work.delete(id))
    this.work.set(id, ended)
  }

  /** Resumes procedures that no host handles, such as after a crash. */
  async look(): Promise<void> {
    for (const id of await this.use.procedures.unclaimed(this.use.clock.now(), AT_ONCE)) this.follow(id)
  }
}
