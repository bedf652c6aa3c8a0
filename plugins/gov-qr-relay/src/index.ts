export { GovQrRelayOptions, govQrRelay } from './gov-qr-relay.js'
export { relayErrors } from './relay-errors.js'
