import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { type JudgedInput, type JudgedSignature, judgeSignature } from './judgement.js'
import { LargeReading } from './large-signatures.js'
import { TrustStore } from './ports.js'
import { isLarge } from './read-signature.js'
import { type MadeReport, type ReportedInput, reportFiles } from './reported-files.js'
import { SignaturePolicy } from './signature-policy.js'

/**
 * Verifies signatures without storing them: by the configured trust set, the evidence in the signature and what is given with
 * it. No authority is asked, since anybody may call this.
 */
export class JudgeSignature {
  static readonly inject = { large: LargeReading, trustStore: TrustStore, clock: Clock, policy: SignaturePolicy }

  constructor(private readonly use: Injected<typeof JudgeSignature.inject>) {}

  /** As `judgeSignature`, as of now. */
  async judge(input: JudgedInput): Promise<JudgedSignature> {
    const { large, policy, trustStore, clock } = this.use
    if (isLarge({ signature: input.signed })) return large.judge(input)
    return judgeSignature(input, { policy, trust: trustStore.trust(), now: clock.now() })
  }
}

/**
 * Verifies signatures and documents as `JudgeSignature` does and makes reports on them, without storing anything.
 */
export class ReportSignatures {
  static readonly inject = { large: LargeReading, trustStore: TrustStore, clock: Clock, policy: SignaturePolicy }

  constructor(private readonly use: Injected<typeof ReportSignatures.inject>) {}

  /** A report as of now; a thread of its own makes it where the signatures are large in total. */
  async report(input: ReportedInput): Promise<MadeReport> {
    const { large, policy, trustStore, clock } = this.use
    if (isLarge({ signature: input.signatures.map(({ signed }) => signed).join('') })) return large.report(input)
    return reportFiles(input, { policy, trust: trustStore.trust(), now: clock.now() })
  }
}
