import { Logger } from '../kernel/logger.js'
import type { Readiness, ReadinessCheck } from '../kernel/readiness.js'
import type { Injected } from '../kernel/service.js'
import { TrustStore } from './ports.js'

/** Checks that there are trust anchors; `stale` while a changed set cannot be loaded. */
export class TrustReadiness implements ReadinessCheck {
  static readonly inject = { trust: TrustStore, logger: Logger }
  readonly name = 'trust'

  constructor(private readonly use: Injected<typeof TrustReadiness.inject>) {}

  async check(): Promise<Readiness> {
    const { anchors, error } = this.use.trust.state()
    if (anchors === 0) throw new Error('There are no trust anchors')
    if (error === undefined) return 'ok'
    this.use.logger.warn('Trust anchors were not loaded again: the last good ones stay', { error })
    return 'stale'
  }
}
