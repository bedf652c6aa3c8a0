import { Clock } from '../kernel/clock.js'
import { askCertificateStatus, statusByCrls } from './ask-certificate-status.js'
import { Checks } from './checks.js'
import { CallStatistics, StatusSource, TrustStore } from './ports.js'
import type { ReadSignature } from './signature.js'
import { defaultSignaturePolicy, SignaturePolicy } from './signature-policy.js'
import type { SignerRules } from './signer-usage.js'
import { issuerIn, signerPath } from './verify-evidence.js'
import { requireSignature } from './verify-signature.js'

const TIMEOUT = 20_000

/**
 * Judges a signature that proves something about this moment, such as who is at the other end: algorithms, what the
 * certificate is meant for, its path and its status, all as of now. Evidence that the signature carries is not looked
 * at, and none is collected to keep.
 */
export class VerifyPresentSignature {
  static readonly inject = [TrustStore, StatusSource, CallStatistics, Clock, SignaturePolicy] as const

  constructor(
    private readonly trustStore: TrustStore,
    private readonly statuses: StatusSource,
    private readonly statistics: CallStatistics,
    private readonly clock: Clock,
    private readonly policy: SignaturePolicy = defaultSignaturePolicy,
  ) {}

  /** Throws what the signature is refused for, with the `checks` made so far. */
  async execute(signature: ReadSignature, signerRules: SignerRules): Promise<void> {
    const { signer: certificate, certificates: candidates } = signature
    const [trust, time] = [this.trustStore.trust(), this.clock.now()]
    const { algorithms } = this.policy
    const context = { trust, now: time, algorithms, signerRules }
    const subject = certificate.subject.toString()
    const checks = new Checks()
    requireSignature(signature, context, checks)
    const issuer = checks.run('path', subject, time, () => issuerIn(signerPath(signature, time, context)))
    const { statuses, statistics, clock } = this
    const about = { certificate, issuer, trust, algorithms, candidates, time }
    await checks.ask('status', subject, time, async () =>
      statuses.urlFor(certificate) === undefined && trust.crls?.length
        ? statusByCrls(certificate, { trust, algorithms, candidates, time, now: time })
        : askCertificateStatus(about, { statuses, statistics, clock }, AbortSignal.timeout(TIMEOUT)),
    )
  }
}
