import type { TimeStamp } from '@signed-registry/verifier'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { askTimeStamp } from './ask-time-stamp.js'
import { CallStatistics, TimestampSource, TrustStore } from './ports.js'
import { SignaturePolicy } from './signature-policy.js'

const TIMEOUT = 10_000

/** Has bytes of the registry's own time-stamped by the configured authority. */
export class TimeStampBytes {
  static readonly inject = {
    trustStore: TrustStore,
    timestamps: TimestampSource,
    statistics: CallStatistics,
    clock: Clock,
    policy: SignaturePolicy,
  }

  constructor(private readonly use: Injected<typeof TimeStampBytes.inject>) {}

  /** A time stamp that is proved; rejects with `tspServerProblem` where there is none within ten seconds. */
  stamp(bytes: Uint8Array): Promise<TimeStamp> {
    const { trustStore, policy, clock } = this.use
    const context = { ...policy, trust: trustStore.trust(), now: clock.now() }
    return askTimeStamp(bytes, context, this.use, AbortSignal.timeout(TIMEOUT))
  }
}
