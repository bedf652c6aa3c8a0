export { GetExternalServicesStats } from './get-external-services-stats.js'
export { GetVersion, License } from './get-version.js'
export { statusModule } from './module.js'
export { ExternalServiceStat, Version } from './schema.js'
