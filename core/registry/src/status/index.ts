export { statusArea } from './area.js'
export { GetExternalServicesStats } from './get-external-services-stats.js'
export { GetVersion, License, licenseOf } from './get-version.js'
export { ExternalServiceStat, Version } from './schema.js'
