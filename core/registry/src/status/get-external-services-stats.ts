import Type from 'typebox'
import { anyone } from '../identity/index.js'
import { operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { TimestampSource } from '../signatures/index.js'
import { type ServiceCalls, SqlCallStatistics } from './call-statistics.js'
import { ExternalServiceStat } from './schema.js'

/** Answers recent results of calls to external services (specification, `GET /api/externalServicesStats`). */
export class GetExternalServicesStats {
  static readonly operation = operation({
    id: 'getExternalServicesStats',
    group: 'utility',
    at: 'GET /externalServicesStats',
    who: anyone(),
    summary: 'How calls to external services went lately',
    description: 'All hosts together, of the last 20 minutes.',
    answer: Type.Array(ExternalServiceStat),
  })
  static readonly inject = { statistics: SqlCallStatistics, timestamps: TimestampSource }

  constructor(private readonly use: Injected<typeof GetExternalServicesStats.inject>) {}

  async execute(): Promise<ExternalServiceStat[]> {
    const called = await this.use.statistics.services()
    const stats = called.map((calls) => ({ protocol: calls.protocol, url: calls.url, status: statusOf(calls) }))
    const tsp = { protocol: 'tsp', url: this.use.timestamps.url, status: 'white' as const }
    return stats.some(({ protocol, url }) => protocol === tsp.protocol && url === tsp.url) ? stats : [...stats, tsp]
  }
}

function statusOf({ succeeded, failed }: ServiceCalls): ExternalServiceStat['status'] {
  if (succeeded + failed === 0) return 'white'
  if (failed === 0) return 'green'
  return succeeded === 0 ? 'red' : 'yellow'
}
