import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { BatchStore, MovedOn } from './batch-store.js'
import { FillBatches } from './fill-batches.js'
import { LostProofs } from './lost-proofs.js'
import { LostStore } from './lost-store.js'
import { NotRenewed } from './not-renewed.js'
import { RenewBatch, type Run } from './renew-batch.js'
import { RenewalSettings } from './renewal-settings.js'
import { RenewalState } from './renewal-state.js'
import type { RenewalProblem } from './renewal-tables.js'
import { figuresOf, SurveyProofs } from './survey-proofs.js'

/** Renews the proof of what is registered before it ends (docs/long-term.md). */
export class RenewEvidence {
  static readonly task = { name: 'renewEvidence', schedule: '17 1 * * *' }
  static readonly inject = {
    settings: RenewalSettings,
    fill: FillBatches,
    batches: BatchStore,
    renewing: RenewBatch,
    state: RenewalState,
    survey: SurveyProofs,
    lost: LostProofs,
    keptLost: LostStore,
    logger: Logger,
  }

  private isStopped = false

  constructor(private readonly use: Injected<typeof RenewEvidence.inject>) {}

  start(): void {
    this.isStopped = false
  }

  /** A run under way is broken off; the next one goes on where it was. */
  async stop(): Promise<void> {
    this.isStopped = true
  }

  async run(): Promise<void> {
    const { requestedAt } = await this.use.state.read()
    await this.renew({ requestedAt, isStopped: () => this.isStopped })
  }

  /** One run, which may be broken off anywhere; another one goes on. */
  async renew(run: Run): Promise<void> {
    const { settings, state, lost, keptLost, survey, logger } = this.use
    if (!settings.isOn) return
    const problem = await this.attempt(run)
    if (problem !== undefined) logger.error('Evidence could not be renewed; it is tried again', { ...problem })
    if (run.isStopped()) return
    const surveyed = await survey.look()
    await keptLost.replace(lost.all(surveyed))
    await state.done(figuresOf(surveyed), problem, problem === undefined ? run.requestedAt : undefined)
  }

  /** Every batch is tried, whatever becomes of the others; answers the first problem. */
  private async attempt(run: Run): Promise<RenewalProblem | undefined> {
    const problems: RenewalProblem[] = []
    const note = async (work: Promise<void>) => {
      try {
        await work
      } catch (error) {
        if (error instanceof NotRenewed) problems.push(error.problem)
        else if (!(error instanceof MovedOn)) throw error
      }
    }
    await note(this.use.fill.run(run.isStopped))
    for (const batch of await this.use.batches.all())
      if (!run.isStopped()) await note(this.use.renewing.run(batch, run))
    return problems[0]
  }
}
