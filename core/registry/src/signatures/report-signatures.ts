import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { LargeReading } from './large-signatures.js'
import { TrustStore } from './ports.js'
import { isLarge } from './read-signature.js'
import { type MadeReport, type ReportedInput, reportFiles } from './reported-files.js'
import { SignaturePolicy } from './signature-policy.js'

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
