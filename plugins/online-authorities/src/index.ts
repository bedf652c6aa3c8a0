export { ConfiguredTrust } from './configured-trust.js'
export {
  OnlineAuthoritiesOptions,
  OnlineStatusSource,
  OnlineTimestampSource,
  onlineAuthorities,
} from './online-authorities.js'
