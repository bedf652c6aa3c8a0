export { ledgerArea } from './area.js'
export { ledgerErrors } from './errors.js'
export { JsonPace } from './json-pace.js'
export { KeptLedger, type KeptUse, type ShareDifference } from './kept-ledger.js'
export type { PoolState, Taken } from './ledger.js'
export { Ledger } from './ledger.js'
export {
  defaultRates,
  networkOf,
  noRates,
  RateLimit,
  type RateSettings,
  RequestRates,
} from './request-rates.js'
export type { Lenders } from './shared-rate-limit.js'
export {
  defaultShares,
  type GivenShares,
  type HostResource,
  isResource,
  type KeptResource,
  keptResources,
  partOfShares,
  type Resource,
  type Share,
  Shares,
  type ShareTable,
  sharesOf,
} from './shares.js'
