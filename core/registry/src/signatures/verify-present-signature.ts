import {
  buildPath,
  type Certificate,
  type CertificatePath,
  type EvidenceSource,
  issuerIn,
  type ReadSignature,
  type SignerRules,
  verifySignatureWith,
} from '@signed-registry/verifier'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { proveStatus } from './ask-certificate-status.js'
import { CallStatistics, SignerKeys, StatusSource, TrustStore } from './ports.js'
import { isKeyUnderOther } from './signature-facts.js'
import { SignaturePolicy } from './signature-policy.js'

const TIMEOUT = 20_000

/**
 * Verifies a signature that proves something at this moment, such as the identity of a caller: algorithms, certificate usage,
 * path and status, all as of now. Evidence in the signature is ignored, and none is collected.
 */
export class VerifyPresentSignature {
  static readonly inject = {
    trustStore: TrustStore,
    statuses: StatusSource,
    statistics: CallStatistics,
    clock: Clock,
    policy: SignaturePolicy,
    keys: SignerKeys,
  }

  constructor(private readonly use: Injected<typeof VerifyPresentSignature.inject>) {}

  /** Answers the path of the signer's certificate. Rejects with the reason and the `checks` made so far. */
  async verify(signature: ReadSignature, signerRules: SignerRules): Promise<CertificatePath> {
    const { statuses, statistics, clock, policy, keys, trustStore } = this.use
    const source: EvidenceSource<undefined> = {
      timeStamp: () => undefined,
      status: ({ signer: certificate }, moment, context) =>
        proveStatus(
          { ...context, ...moment, certificate },
          { statuses, statistics, clock, byCrls: true },
          AbortSignal.timeout(TIMEOUT),
        ),
    }
    const known = { isKeyUnderOther: isKeyUnderOther(keys) }
    const context = { ...policy, ...known, signerRules, trust: trustStore.trust(), now: clock.now() }
    return (await verifySignatureWith(source, signature, context)).path
  }
}

/** Verifies a certificate as of now: its path and its status. */
export class VerifyPresentCertificate {
  static readonly inject = VerifyPresentSignature.inject

  constructor(private readonly use: Injected<typeof VerifyPresentCertificate.inject>) {}

  /** Rejects with the reason; with an error of kind `unavailable` where the status cannot be determined. */
  async assertGood(certificate: Certificate, candidates: readonly Certificate[]): Promise<void> {
    const { statuses, statistics, clock, policy, trustStore } = this.use
    const now = clock.now()
    const context = { ...policy, trust: trustStore.trust(), now, time: now, candidates }
    const path = buildPath(certificate, context)
    await proveStatus(
      { ...context, certificate, issuer: issuerIn(path) },
      { statuses, statistics, clock, byCrls: true },
      AbortSignal.timeout(TIMEOUT),
    )
  }
}
