import {
  buildTimeStampRequest,
  digest,
  type EvidenceContext,
  readTimeStampResponse,
  type TimeStamp,
  verifyTimeStamp,
} from '@signed-registry/verifier'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { MAX_GAP, newNonce, TEMPORARY } from './ask-certificate-status.js'
import { askAuthority, UnusableAnswer } from './authority-call.js'
import { CallStatistics, TimestampSource, TrustStore } from './ports.js'
import { SignaturePolicy } from './signature-policy.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'

/** What asking for a time stamp needs. */
interface TimeStamping {
  readonly timestamps: TimestampSource
  readonly statistics: CallStatistics
  readonly clock: Clock
}

/** Asks the authority for a time stamp over bytes and verifies it. Rejects with `tspServerProblem`. */
export function askTimeStamp(
  imprinted: Uint8Array,
  context: EvidenceContext,
  { timestamps, statistics, clock }: TimeStamping,
  signal: AbortSignal,
): Promise<TimeStamp> {
  const { url, policy, digestOid = SHA_256 } = timestamps
  const exchange = async () => {
    const request = { digestOid, policy, nonce: newNonce() }
    const imprint = digest(digestOid, imprinted)
    const answer = await timestamps.timestamp(buildTimeStampRequest({ ...request, imprint }), { signal })
    const response = readTimeStampResponse(answer)
    if (response.token === undefined) {
      const { status, failures, text } = response
      throw new UnusableAnswer(
        'rejected',
        { status, failures, text },
        failures.some((one) => TEMPORARY.has(one)),
      )
    }
    const now = clock.now()
    const stamp = verifyTimeStamp(response.token, imprinted, { ...context, now, request })
    if (now - stamp.genTime > MAX_GAP) throw new UnusableAnswer('clock', { genTime: stamp.genTime, now })
    return stamp
  }
  return askAuthority({ protocol: 'tsp', url, exchange, signal }, statistics)
}

const TIMEOUT = 10_000

/** Gets time stamps from the configured authority for the registry's own data. */
export class TimeStampBytes {
  static readonly inject = {
    trustStore: TrustStore,
    timestamps: TimestampSource,
    statistics: CallStatistics,
    clock: Clock,
    policy: SignaturePolicy,
  }

  constructor(private readonly use: Injected<typeof TimeStampBytes.inject>) {}

  /** A verified time stamp, of another authority if one is given; rejects with `tspServerProblem` where there is none within ten seconds. */
  stamp(bytes: Uint8Array, timestamps = this.use.timestamps): Promise<TimeStamp> {
    const { trustStore, policy, clock } = this.use
    const context = { ...policy, trust: trustStore.trust(), now: clock.now() }
    return askTimeStamp(bytes, context, { ...this.use, timestamps }, AbortSignal.timeout(TIMEOUT))
  }
}
