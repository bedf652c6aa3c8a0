import { AllCertificates } from './certificates-in-use.js'
import { Checks } from './check.js'
import { Clock, systemClock } from './clock.js'
import { fieldErrors } from './field-length.js'
import { Limits, provideLimits } from './limits.js'
import { Logger, standardLogger } from './logger.js'
import { area } from './part.js'
import { ReadinessChecks } from './readiness.js'
import { Reloads } from './reload.js'
import { requestErrors } from './request-errors.js'
import { Schedule, Schedules } from './schedule.js'
import { provideValue } from './service.js'
import { localSite, Site } from './site.js'
import { Tracer } from './tracer.js'

export const kernelArea = area({
  name: 'kernel',
  errors: [requestErrors, fieldErrors],
  services: [Schedule, ReadinessChecks, Reloads, AllCertificates, Checks],
  provides: [
    provideValue(Clock, systemClock),
    provideValue(Logger, standardLogger),
    provideLimits(Limits),
    provideValue(Schedules, {}),
    provideValue(Site, localSite),
    provideValue(Tracer, undefined),
  ],
})
