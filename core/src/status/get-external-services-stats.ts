import { TimestampSource } from '../signatures/index.js'
import { type ServiceCalls, SqlCallStatistics } from './call-statistics.js'
import type { ExternalServiceStat } from './schema.js'

/** Answers how calls to external services went lately (specification, `GET /api/externalServicesStats`). */
export class GetExternalServicesStats {
  static readonly inject = [SqlCallStatistics, TimestampSource] as const

  constructor(
    private readonly statistics: SqlCallStatistics,
    private readonly timestamps: TimestampSource,
  ) {}

  async execute(): Promise<ExternalServiceStat[]> {
    const called = await this.statistics.services()
    const stats = called.map((calls) => ({ protocol: calls.protocol, url: calls.url, status: statusOf(calls) }))
    const tsp = { protocol: 'tsp', url: this.timestamps.url, status: 'white' as const }
    return stats.some(({ protocol, url }) => protocol === tsp.protocol && url === tsp.url) ? stats : [...stats, tsp]
  }
}

function statusOf({ succeeded, failed }: ServiceCalls): ExternalServiceStat['status'] {
  if (succeeded + failed === 0) return 'white'
  if (failed === 0) return 'green'
  return succeeded === 0 ? 'red' : 'yellow'
}
