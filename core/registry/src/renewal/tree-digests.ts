import { digestTrustedUntil } from '@signed-registry/verifier'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { SignaturePolicy } from '../signatures/index.js'
import { NotRenewed } from './not-renewed.js'
import { RenewalSettings } from './renewal-settings.js'

/** Chooses the digests of trees. */
export class TreeDigests {
  static readonly inject = { settings: RenewalSettings, policy: SignaturePolicy, clock: Clock }

  constructor(private readonly use: Injected<typeof TreeDigests.inject>) {}

  /** Until when one is trusted, milliseconds; `Infinity` where the policy names no day. */
  until(oid: string): number {
    return digestTrustedUntil(this.use.policy.algorithms, oid, this.use.clock.now())
  }

  /** The first configured one that is trusted beyond the time at which it would be renewed again. Throws `NotRenewed`. */
  next(): string {
    const { settings, clock } = this.use
    const soon = clock.now() + settings.leadMs
    const found = settings.digests.find((oid) => this.until(oid) > soon)
    if (found !== undefined) return found
    throw new NotRenewed({
      reason: 'digest',
      text: 'None of the digests for new trees (RENEWAL_DIGESTS) is trusted for long enough',
    })
  }
}
