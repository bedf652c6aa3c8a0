import type { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import type { Logger } from '../kernel/logger.js'
import type { AppSide } from './app-side.js'
import { procedureErrors } from './errors.js'
import type { FindProcedure } from './find-procedure.js'
import type { HeldCalls } from './held-calls.js'
import { saysNothing } from './later.js'
import { type Relay, RelayRefusal } from './mobile-app.js'
import type { MoveProcedure } from './move-procedure.js'
import { isOpen, type Procedure, type ProcedureStore } from './procedure-store.js'

/** After this time another host takes over from one that died. */
const LEASE_MS = 30_000
/** Delay before a failed step is retried. */
const RETRY_MS = 5000

/** The current call of the relay. */
interface Step {
  /** `result`, or which data it delivers. */
  readonly about: string
  readonly controller: AbortController
  readonly ended: Promise<void>
  hasEnded: boolean
}

interface Use {
  readonly side: AppSide
  readonly find: FindProcedure
  readonly procedures: ProcedureStore
  readonly moves: MoveProcedure
  readonly held: HeldCalls
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Runs one procedure through a relay while this host has claimed it. The next step follows from the procedure's state alone,
 * so that another host can resume after a crash.
 */
export class RelayedProcedure {
  private claimedUntil: number | undefined
  private step: Step | undefined
  private told = ''

  constructor(
    private readonly id: string,
    private readonly relay: Relay,
    private readonly use: Use,
    private readonly stop: AbortSignal,
  ) {}

  /** Resolves when the procedure has ended, another host has claimed it, or this host stops. */
  async follow(): Promise<void> {
    if (!(await this.claim())) return
    const call = await this.use.held.begin(this.id, 'watch')
    try {
      while (!this.stop.aborted) {
        const procedure = await this.use.find.byId(this.id)
        if (procedure === undefined) return
        if (!isOpen(procedure.status)) return await this.leave(procedure)
        if (!(await this.claim())) return
        this.goOn(procedure)
        await call.next(RETRY_MS, this.stop)
      }
    } catch (error) {
      if (!this.stop.aborted) throw error
    } finally {
      this.step?.controller.abort()
      await this.step?.ended
      await call.end()
      await this.release()
    }
  }

  /** Claims the procedure or renews the claim; false where another host has it. */
  private async claim(): Promise<boolean> {
    const now = this.use.clock.now()
    if (this.claimedUntil !== undefined && this.claimedUntil - now > LEASE_MS / 2) return true
    const claimed = { until: now + LEASE_MS, from: this.claimedUntil }
    const isMine = await this.use.procedures.claim(this.id, claimed, now)
    this.claimedUntil = isMine ? claimed.until : undefined
    return isMine
  }

  private async release(): Promise<void> {
    if (this.claimedUntil === undefined) return
    await this.use.procedures.claim(this.id, { until: 0, from: this.claimedUntil }, 0)
  }

  /** Cancels at the relay too, unless the app has been there. */
  private async leave({ status, channel }: Procedure): Promise<void> {
    if (status === 'done') return
    this.step?.controller.abort()
    await this.relay
      .cancel(channel)
      .catch((error: unknown) => this.use.logger.warn('A relay was not told of an end', { error }))
  }

  private goOn(procedure: Procedure): void {
    const { kind, status, dataBody } = procedure
    const about = status === 'data' ? 'result' : `data ${dataBody ?? ''}`
    if (this.step?.about === about && !this.step.hasEnded) return
    this.step?.controller.abort()
    this.step = undefined
    if (kind === 'raw' && dataBody === undefined) return
    const controller = new AbortController()
    const work = about === 'result' ? this.collect(procedure, controller) : this.deliver(procedure, controller)
    const step: Step = {
      about,
      controller,
      hasEnded: false,
      ended: work
        .catch((error: unknown) => this.failed(procedure, controller.signal, error))
        .catch((error: unknown) => this.use.logger.warn('The failure of a relayed procedure is not kept', { error }))
        .finally(() => {
          step.hasEnded = true
        }),
    }
    this.step = step
  }

  private async deliver(procedure: Procedure, { signal }: AbortController): Promise<void> {
    const documents = await this.use.side.prepared(procedure, { signal, reading: () => undefined })
    await this.relay.deliver(procedure.channel, documents, signal)
    await this.use.side.delivered(procedure)
  }

  private collect(procedure: Procedure, { signal }: AbortController): Promise<void> {
    return this.relay.collect(procedure.channel, (returned) => this.use.side.register(procedure, returned), signal)
  }

  /** Ends the procedure after a `RelayRefusal`; other errors are retried. */
  private async failed(procedure: Procedure, signal: AbortSignal, error: unknown): Promise<void> {
    if (signal.aborted) return
    if (error instanceof RegistryError && !saysNothing(error)) {
      if (await this.claim()) await this.use.moves.fail(procedure, { service: error.message })
      return
    }
    const { message } = error instanceof Error ? error : new Error(String(error))
    if (message !== this.told) this.use.logger.warn('A relayed procedure met a failure', { error })
    this.told = message
    if (!(error instanceof RelayRefusal) || !(await this.claim())) return
    await this.use.moves.fail(procedure, { gov: procedureErrors.texts.appExchangeFailed.message })
  }
}
