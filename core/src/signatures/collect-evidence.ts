import { Clock } from '../kernel/clock.js'
import { digest } from './algorithms/digest.js'
import { askCertificateStatus, newNonce, PASSING, statusByCrls } from './ask-certificate-status.js'
import { askAuthority, UnusableAnswer } from './authority-call.js'
import { Checks } from './checks.js'
import { signatureErrors } from './errors.js'
import type { CertificatePath } from './path/build-path.js'
import { CallStatistics, StatusSource, TimestampSource, TrustStore } from './ports.js'
import type { ReadSignature } from './signature.js'
import { defaultSignaturePolicy, SignaturePolicy } from './signature-policy.js'
import { type CertificateStatus, type OcspContext, verifyOcsp } from './status/verify-ocsp.js'
import { buildTimeStampRequest } from './timestamp/time-stamp-request.js'
import { readTimeStampResponse } from './timestamp/time-stamp-response.js'
import { type TimeStamp, verifyTimeStamp } from './timestamp/verify-time-stamp.js'
import { type EvidenceContext, issuerIn, type SignatureProof, signerPath } from './verify-evidence.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'
const TIMEOUT = 25_000
/** Between a time stamp and a certificate status, and between either and the clock when it is fresh. */
const MOST_GAP = 5 * 60_000

/** How evidence is collected. */
export interface CollectOptions {
  /** Takes down what was looked at. */
  readonly checks?: Checks
  /** For all authorities together; 25 seconds where not given. */
  readonly timeoutMs?: number
}

/**
 * Asks authorities for the evidence that a signature does not carry, a time stamp first, then its certificate's status,
 * and judges all of it. Throws the coded error of the part that fails; `tspServerProblem` and `ocspServerProblem` when an
 * authority gives no answer that can be used, within 25 seconds for both together.
 */
export class CollectEvidence {
  static readonly inject = [TrustStore, TimestampSource, StatusSource, CallStatistics, Clock, SignaturePolicy] as const

  constructor(
    private readonly trustStore: TrustStore,
    private readonly timestamps: TimestampSource,
    private readonly statuses: StatusSource,
    private readonly statistics: CallStatistics,
    private readonly clock: Clock,
    private readonly policy: SignaturePolicy = defaultSignaturePolicy,
  ) {}

  async execute(signature: ReadSignature, options: CollectOptions = {}): Promise<SignatureProof> {
    const { checks = new Checks(), timeoutMs = TIMEOUT } = options
    const { algorithms } = this.policy
    const context = { trust: this.trustStore.trust(), now: this.clock.now(), algorithms }
    const signal = AbortSignal.timeout(timeoutMs)
    const { subject } = signature.signer
    const timeStamp = await checks.ask('timeStamp', subject, context.now, () =>
      this.timeStamp(signature, context, signal),
    )
    const { genTime: time } = timeStamp
    const path = checks.run('path', subject, time, () => signerPath(signature, time, context))
    const status = await checks.ask('status', subject, time, () => this.status(signature, path, time, context, signal))
    return { timeStamp, path, status: undefined, crlProof: undefined, ...status }
  }

  private async status(
    signature: ReadSignature,
    path: CertificatePath,
    time: number,
    { now, ...rules }: EvidenceContext,
    signal: AbortSignal,
  ): Promise<Partial<Pick<SignatureProof, 'status' | 'crlProof'>>> {
    const { signer: certificate, certificates: candidates, ocsp } = signature
    const about = { ...rules, certificate, issuer: issuerIn(path), time }
    if (ocsp !== undefined) return { status: verifyOcsp(ocsp, { ...about, now }) }
    if (this.statuses.urlFor(certificate) === undefined && rules.trust.crls?.length)
      return { crlProof: statusByCrls(certificate, { ...rules, candidates, time, now }) }
    return { status: await this.askStatus(about, now, signal) }
  }

  private async timeStamp(signature: ReadSignature, context: EvidenceContext, signal: AbortSignal): Promise<TimeStamp> {
    if (signature.timeStamp !== undefined) {
      const { token, imprinted } = signature.timeStamp
      return verifyTimeStamp(token, imprinted, { ...context, candidates: signature.certificates })
    }
    // No authority is troubled for a signer whom we would refuse anyway.
    issuerIn(signerPath(signature, context.now, context))
    return this.askTimeStamp(signature.signatureValue, context, signal)
  }

  private askTimeStamp(imprinted: Uint8Array, context: EvidenceContext, signal: AbortSignal): Promise<TimeStamp> {
    const { url, policy, digestOid = SHA_256 } = this.timestamps
    const exchange = async () => {
      const request = { digestOid, policy, nonce: newNonce() }
      const imprint = digest(digestOid, imprinted)
      const answer = await this.timestamps.timestamp(buildTimeStampRequest({ ...request, imprint }), { signal })
      const response = readTimeStampResponse(answer)
      if (response.token === undefined) {
        const { status, failures, text } = response
        throw new UnusableAnswer(
          'rejected',
          { status, failures, text },
          failures.some((one) => PASSING.has(one)),
        )
      }
      const now = this.clock.now()
      const stamp = verifyTimeStamp(response.token, imprinted, { ...context, now, request })
      if (now - stamp.genTime > MOST_GAP) throw new UnusableAnswer('clock', { genTime: stamp.genTime, now })
      return stamp
    }
    return askAuthority({ protocol: 'tsp', url, exchange, signal }, this.statistics)
  }

  private askStatus(about: Omit<OcspContext, 'now'>, now: number, signal: AbortSignal): Promise<CertificateStatus> {
    const { time } = about
    const { statuses, statistics, clock } = this
    // A fresh status would be too far from the time stamp that came along.
    if (now - time > MOST_GAP) {
      throw signatureErrors.error('evidenceTimesDiffer', { reason: 'timeStampTooOld', genTime: time, now })
    }
    return askCertificateStatus(about, { statuses, statistics, clock }, signal)
  }
}
