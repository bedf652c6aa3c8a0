import {
  buildTimeStampRequest,
  digest,
  type EvidenceContext,
  readTimeStampResponse,
  type TimeStamp,
  type TimeStampContext,
  verifyTimeStamp,
  verifyTimeStampToken,
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
  use: TimeStamping,
  signal: AbortSignal,
): Promise<TimeStamp> {
  const { digestOid = SHA_256 } = use.timestamps
  const hash = { digestOid, value: digest(digestOid, imprinted) }
  return askOverHash(hash, (token, asked) => verifyTimeStamp(token, imprinted, { ...context, ...asked }), use, signal)
}

/** A hash, and the OID of its algorithm. */
export interface HashToStamp {
  readonly digestOid: string
  readonly value: Uint8Array
}

function askOverHash(
  { digestOid, value: imprint }: HashToStamp,
  verify: (token: Uint8Array, asked: Pick<TimeStampContext, 'now' | 'request'>) => TimeStamp,
  { timestamps, statistics, clock }: TimeStamping,
  signal: AbortSignal,
): Promise<TimeStamp> {
  const { url, policy } = timestamps
  const exchange = async () => {
    const request = { digestOid, policy, nonce: newNonce() }
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
    const stamp = verify(response.token, { now, request })
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
    return askTimeStamp(bytes, this.context(), { ...this.use, timestamps }, AbortSignal.timeout(TIMEOUT))
  }

  /** As `stamp`, over what has this hash. */
  stampHash(hash: HashToStamp, timestamps = this.use.timestamps): Promise<TimeStamp> {
    const verify = (token: Uint8Array, asked: Pick<TimeStampContext, 'now' | 'request'>) => {
      const stamp = verifyTimeStampToken(token, { ...this.context(), ...asked })
      if (Buffer.compare(stamp.info.imprint.value, hash.value) !== 0) throw new UnusableAnswer('imprint')
      return stamp
    }
    return askOverHash(hash, verify, { ...this.use, timestamps }, AbortSignal.timeout(TIMEOUT))
  }

  private context(): EvidenceContext {
    const { trustStore, policy, clock } = this.use
    return { ...policy, trust: trustStore.trust(), now: clock.now() }
  }
}
