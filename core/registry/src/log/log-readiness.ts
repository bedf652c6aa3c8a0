import type { Readiness, ReadinessCheck } from '../kernel/readiness.js'
import type { Injected } from '../kernel/service.js'
import { LogState } from './log-state.js'

/** Tells that the log needs somebody; the registry serves all the same, and its entries wait. */
export class LogReadiness implements ReadinessCheck {
  static readonly inject = { state: LogState }
  readonly name = 'log'

  constructor(private readonly use: Injected<typeof LogReadiness.inject>) {}

  async check(): Promise<Readiness> {
    // A database that does not answer fails a check of its own.
    const needsAttention = await this.use.state.needsAttention().catch(() => true)
    return needsAttention ? 'stale' : 'ok'
  }
}
