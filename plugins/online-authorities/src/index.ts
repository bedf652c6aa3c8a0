export { ConfiguredTrust } from './configured-trust.js'
export { askOcsp, askTsp, type Finding, lookAtTrust } from './look-at-authorities.js'
export {
  OnlineAuthoritiesOptions,
  OnlineStatusSource,
  OnlineTimestampSource,
  onlineAuthorities,
} from './online-authorities.js'
