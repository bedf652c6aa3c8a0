import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import type { CheckedSignature } from './checked-signature.js'
import { judgeSignature } from './judgement.js'
import { LargeReading } from './large-signatures.js'
import { TrustStore } from './ports.js'
import { isLarge } from './read-signature.js'
import { SignaturePolicy } from './signature-policy.js'

/**
 * Judges signatures that nobody registers, by the verifier alone: the configured trust, and the evidence that a signature
 * carries. No authority is asked on a stranger's word, and nothing is kept.
 */
export class JudgeSignature {
  static readonly inject = { large: LargeReading, trustStore: TrustStore, clock: Clock, policy: SignaturePolicy }

  constructor(private readonly use: Injected<typeof JudgeSignature.inject>) {}

  /** As `judgeSignature`, now. */
  async judge(signed: Uint8Array | string, document?: ReadonlyMap<string, Uint8Array>): Promise<CheckedSignature> {
    const { large, policy, trustStore, clock } = this.use
    if (isLarge({ signature: signed })) return large.judge({ signed, document })
    return judgeSignature({ signed, document }, { policy, trust: trustStore.trust(), now: clock.now() })
  }
}
