import {
  buildPath,
  type CarriedTimeStamp,
  type Certificate,
  type EvidenceContext,
  type EvidenceSource,
  hasEnded,
  issuerIn,
  type ProvedSignature,
  type ReadSignature,
  type StatusMoment,
  type StatusProof,
  signatureErrors,
  type TimeStamp,
  verifyOcsp,
  verifySignatureWith,
  verifyTimeStamp,
} from '@signed-registry/verifier'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { proveStatus } from './ask-certificate-status.js'
import { askTimeStamp } from './ask-time-stamp.js'
import { carriedStatus } from './carried-status.js'
import { CallStatistics, SignerKeys, StatusSource, TimestampSource, TrustStore } from './ports.js'
import { isKeyUnderOther } from './signature-facts.js'
import { SignaturePolicy } from './signature-policy.js'

const TIMEOUT = 25_000

/** How evidence is collected. */
export interface CollectOptions {
  /** Timeout for all authorities together; 25 seconds by default. */
  readonly timeoutMs?: number
  /** Certificates that came beside the signature. */
  readonly candidates?: readonly Certificate[]
}

/**
 * Verifies a new signature with the evidence that it carries, and gets missing evidence from authorities: first a time stamp,
 * then the certificate's status. Throws the error of the part that fails; `tspServerProblem` or `ocspServerProblem` when an
 * authority gives no usable answer in time.
 */
export class CollectEvidence {
  static readonly inject = {
    trustStore: TrustStore,
    timestamps: TimestampSource,
    statuses: StatusSource,
    statistics: CallStatistics,
    clock: Clock,
    policy: SignaturePolicy,
    keys: SignerKeys,
  }

  constructor(private readonly use: Injected<typeof CollectEvidence.inject>) {}

  collect(
    signature: ReadSignature,
    { timeoutMs = TIMEOUT, candidates = [] }: CollectOptions = {},
  ): Promise<ProvedSignature> {
    const { policy, trustStore, clock, keys } = this.use
    const known = { isKeyUnderOther: isKeyUnderOther(keys) }
    const context = { ...policy, ...known, candidates, trust: trustStore.trust(), now: clock.now() }
    return verifySignatureWith(this.source(AbortSignal.timeout(timeoutMs)), signature, context)
  }

  private source(signal: AbortSignal): EvidenceSource {
    return {
      timeStamp: (signature, context) => this.timeStamp(signature, context, signal),
      status: (signature, moment, context) => this.status(signature, moment, context, signal),
    }
  }

  private timeStamp(
    { signer, timeStamp, signatureValue }: ReadSignature,
    context: EvidenceContext,
    signal: AbortSignal,
  ): TimeStamp | Promise<TimeStamp> {
    if (timeStamp !== undefined) return this.carriedTimeStamp(timeStamp, context)
    // No authority is asked for a signer who would be refused anyway.
    issuerIn(buildPath(signer, { ...context, time: context.now }))
    return this.askTimeStamp(signatureValue, context, signal)
  }

  /** After an authority's certificate has expired its key may leak, so its old time stamps cannot be told from forged ones. */
  private carriedTimeStamp({ token, imprinted }: CarriedTimeStamp, context: EvidenceContext): TimeStamp {
    const stamp = verifyTimeStamp(token, imprinted, context)
    if (!hasEnded(stamp, context.now)) return stamp
    throw signatureErrors.error('invalidTspTimeStamp', { reason: 'authorityEnded', genTime: stamp.genTime })
  }

  private status(
    { signer: certificate, ocsp }: ReadSignature,
    moment: StatusMoment,
    context: EvidenceContext,
    signal: AbortSignal,
  ): StatusProof | Promise<StatusProof> {
    const about = { ...context, ...moment, certificate }
    const status = ocsp === undefined ? carriedStatus(about) : verifyOcsp(ocsp, about)
    if (status !== undefined) return { status, crlProof: undefined }
    const { statuses, statistics, clock, policy } = this.use
    return proveStatus(about, { statuses, statistics, clock, byCrls: policy.statusByCrls === true }, signal)
  }

  private askTimeStamp(imprinted: Uint8Array, context: EvidenceContext, signal: AbortSignal): Promise<TimeStamp> {
    return askTimeStamp(imprinted, context, this.use, signal)
  }
}
