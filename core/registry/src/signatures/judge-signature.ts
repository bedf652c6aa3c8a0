import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { type JudgedInput, type JudgedSignature, judgeSignature } from './judgement.js'
import { LargeReading } from './large-signatures.js'
import { TrustStore } from './ports.js'
import { isLarge } from './read-signature.js'
import { type MadeReport, type ReportedInput, reportFiles } from './reported-files.js'
import { SignaturePolicy } from './signature-policy.js'

/**
 * Judges signatures for whoever asks, by the verifier alone: the configured trust, the evidence that a signature carries,
 * and what is given with it. No authority is asked on a stranger's word, and nothing is kept.
 */
export class JudgeSignature {
  static readonly inject = { large: LargeReading, trustStore: TrustStore, clock: Clock, policy: SignaturePolicy }

  constructor(private readonly use: Injected<typeof JudgeSignature.inject>) {}

  /** As `judgeSignature`, now. */
  async judge(input: JudgedInput): Promise<JudgedSignature> {
    const { large, policy, trustStore, clock } = this.use
    if (isLarge({ signature: input.signed })) return large.judge(input)
    return judgeSignature(input, { policy, trust: trustStore.trust(), now: clock.now() })
  }
}

/**
 * Judges signatures and documents that nobody registers, as `JudgeSignature` does, and reports on them: the configured
 * trust, and the evidence that signatures carry.
 */
export class ReportSignatures {
  static readonly inject = { large: LargeReading, trustStore: TrustStore, clock: Clock, policy: SignaturePolicy }

  constructor(private readonly use: Injected<typeof ReportSignatures.inject>) {}

  /** A report as of now; all signatures together are judged by a thread of their own where they are large. */
  async report(input: ReportedInput): Promise<MadeReport> {
    const { large, policy, trustStore, clock } = this.use
    if (isLarge({ signature: input.signatures.map(({ signed }) => signed).join('') })) return large.report(input)
    return reportFiles(input, { policy, trust: trustStore.trust(), now: clock.now() })
  }
}
