import {
  buildTimeStampRequest,
  digest,
  type EvidenceContext,
  readTimeStampResponse,
  type TimeStamp,
  verifyTimeStamp,
} from '@signed-registry/verifier'
import type { Clock } from '../kernel/clock.js'
import { MAX_GAP, newNonce, PASSING } from './ask-certificate-status.js'
import { askAuthority, UnusableAnswer } from './authority-call.js'
import type { CallStatistics, TimestampSource } from './ports.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'

/** Whom to ask for time stamps, and what is noted of it. */
export interface TimeStamping {
  readonly timestamps: TimestampSource
  readonly statistics: CallStatistics
  readonly clock: Clock
}

/** Asks the authority for a time stamp over bytes, and judges it. Rejects with `tspServerProblem`. */
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
        failures.some((one) => PASSING.has(one)),
      )
    }
    const now = clock.now()
    const stamp = verifyTimeStamp(response.token, imprinted, { ...context, now, request })
    if (now - stamp.genTime > MAX_GAP) throw new UnusableAnswer('clock', { genTime: stamp.genTime, now })
    return stamp
  }
  return askAuthority({ protocol: 'tsp', url, exchange, signal }, statistics)
}
