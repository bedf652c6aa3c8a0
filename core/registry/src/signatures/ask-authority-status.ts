import { issuerIn, RegistryError, type TimeStamp } from '@signed-registry/verifier'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { proveStatus } from './ask-certificate-status.js'
import { CallStatistics, StatusSource, TrustStore } from './ports.js'
import { SignaturePolicy } from './signature-policy.js'

const TIMEOUT = 10_000

/** Asks for the status of the authorities of time stamps, for those who verify them when nobody can be asked any more. */
export class AskAuthorityStatus {
  static readonly inject = {
    trustStore: TrustStore,
    statuses: StatusSource,
    statistics: CallStatistics,
    clock: Clock,
    policy: SignaturePolicy,
  }

  constructor(private readonly use: Injected<typeof AskAuthorityStatus.inject>) {}

  /** A BasicOCSPResponse that calls the authority's certificate good now; `undefined` where there is none. */
  async of({ signer: certificate, path }: Pick<TimeStamp, 'signer' | 'path'>): Promise<Uint8Array | undefined> {
    const { policy, trustStore, clock, statuses, statistics } = this.use
    const now = clock.now()
    const about = { ...policy, trust: trustStore.trust(), certificate, path, time: now, now }
    try {
      const issued = { ...about, issuer: issuerIn(path) }
      const asked = { statuses, statistics, clock, byCrls: false }
      return (await proveStatus(issued, asked, AbortSignal.timeout(TIMEOUT))).status?.response
    } catch (error) {
      if (error instanceof RegistryError) return undefined
      throw error
    }
  }
}
