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
 * Judges a signature that proves something about this moment, such as who is at the other end: algorithms, what the
 * certificate is meant for, its path and its status, all as of now. Evidence that the signature carries is not looked
 * at, and none is collected to keep.
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

  /** The path of the signer's certificate. Throws what the signature is refused for, with the `checks` made so far. */
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

/** Judges a certificate as of now: its path and its status. */
export class VerifyPresentCertificate {
  static readonly inject = VerifyPresentSignature.inject

  constructor(private readonly use: Injected<typeof VerifyPresentCertificate.inject>) {}

  /** Throws what the certificate is refused for; of kind `unavailable` where its status cannot be told. */
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
