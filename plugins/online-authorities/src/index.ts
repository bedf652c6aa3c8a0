export { ConfiguredTrust } from './configured-trust.js'
export { askOcsp, askTsp, type Finding, lookAtTrust, type TspFinding } from './look-at-authorities.js'
export {
  OnlineAuthoritiesOptions,
  OnlineStatusSource,
  OnlineTimestampSource,
  onlineAuthorities,
} from './online-authorities.js'
