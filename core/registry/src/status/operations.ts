export { GetExternalServicesStats } from './get-external-services-stats.js'
export { GetVersion } from './get-version.js'
export type { ExternalServiceStat, Version } from './schema.js'
