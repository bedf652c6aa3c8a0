import { area } from '../kernel/part.js'
import { provide, provideValue } from '../kernel/service.js'
import { CallStatistics } from '../signatures/index.js'
import { DEFAULT_WINDOW_MINUTES, SqlCallStatistics, StatisticsWindow } from './call-statistics.js'
import { License, licenseOf } from './get-version.js'
import * as serviceCalls from './migrations/0002-service-calls.js'
import * as operations from './operations.js'

export const statusArea = area({
  name: 'status',
  migrations: { '0002-service-calls': serviceCalls },
  provides: [
    provideValue(StatisticsWindow, DEFAULT_WINDOW_MINUTES),
    provideValue(License, licenseOf()),
    provide(CallStatistics, {
      inject: { statistics: SqlCallStatistics },
      make: ({ statistics }) => statistics,
      close: (statistics) => statistics.written(),
    }),
  ],
  services: [SqlCallStatistics],
  operations: Object.values(operations),
})
