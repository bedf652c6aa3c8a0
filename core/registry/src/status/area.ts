import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provide, provideValue } from '../kernel/service.js'
import { CallStatistics } from '../signatures/index.js'
import { DEFAULT_WINDOW_MINUTES, SqlCallStatistics, StatisticsWindow } from './call-statistics.js'
import { CheckStates } from './check-states.js'
import { License, licenseOf } from './get-version.js'
import { StatusLimits } from './limits.js'
import * as serviceCalls from './migrations/0002-service-calls.js'
import * as checks from './migrations/0230-checks.js'
import * as operations from './operations.js'
import { RepeatChecks } from './repeat-checks.js'

export const statusArea = area({
  name: 'status',
  migrations: { '0002-service-calls': serviceCalls, '0230-checks': checks },
  provides: [
    provideValue(StatisticsWindow, DEFAULT_WINDOW_MINUTES),
    provideLimits(StatusLimits),
    provideValue(License, licenseOf()),
    provide(CallStatistics, {
      inject: { statistics: SqlCallStatistics },
      make: ({ statistics }) => statistics,
      close: (statistics) => statistics.written(),
    }),
  ],
  services: [SqlCallStatistics, CheckStates],
  tasks: [RepeatChecks],
  operations: Object.values(operations),
})
