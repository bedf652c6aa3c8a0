import { ContainerModule } from 'inversify'
import { provide } from '../kernel/token.js'
import { CallStatistics } from '../signatures/index.js'
import { DEFAULT_WINDOW_MINUTES, SqlCallStatistics, StatisticsWindow } from './call-statistics.js'
import { GetExternalServicesStats } from './get-external-services-stats.js'
import { GetVersion, License, openLicense } from './get-version.js'

export const statusModule = new ContainerModule(({ bind }) => {
  bind(StatisticsWindow).toConstantValue(DEFAULT_WINDOW_MINUTES)
  bind(License).toConstantValue(openLicense)
  provide(bind, SqlCallStatistics, SqlCallStatistics).onDeactivation((statistics) => statistics.written())
  // Not toService: plugins may watch a value as it is made, and a redirection makes none.
  bind(CallStatistics)
    .toResolvedValue((statistics: SqlCallStatistics) => statistics, [SqlCallStatistics])
    .inSingletonScope()
  provide(bind, GetExternalServicesStats, GetExternalServicesStats)
  provide(bind, GetVersion, GetVersion)
})
