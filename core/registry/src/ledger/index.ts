export { ledgerArea } from './area.js'
export { ledgerErrors } from './errors.js'
export { KeptLedger, type KeptUse, type ShareDifference } from './kept-ledger.js'
export { Ledger } from './ledger.js'
export type { PoolState, Taken } from './pool.js'
export {
  defaultShares,
  type GivenShares,
  type HostResource,
  isResource,
  type KeptResource,
  keptResources,
  type Resource,
  type Share,
  Shares,
  type ShareTable,
  sharesOf,
} from './shares.js'
