import { type Check, publicAddress, type SignaturePolicy } from '@signed-registry/core'
import { askOcsp } from './ask-ocsp.js'
import { askTsp } from './ask-tsp.js'
import { lookAtTrust } from './look-at-trust.js'
import { type OnlineAuthoritiesOptions, TIMEOUT_MS } from './options.js'

/** A little longer than an exchange, which says what it waited for. */
const timeoutOf = ({ timeoutMs = TIMEOUT_MS }: OnlineAuthoritiesOptions) => timeoutMs + 1000

// All hosts share trust anchors and authorities, so none is taken out of service for them.

/** Looks at the trust anchors. */
export const trustCheck = (options: OnlineAuthoritiesOptions): Check => ({
  name: 'trust',
  isRequired: false,
  check: () => lookAtTrust(options),
})

/** Asks the time-stamping authority as registrations do. */
export const timeStampCheck = (options: OnlineAuthoritiesOptions, policy: SignaturePolicy): Check => ({
  name: 'time stamps',
  isRequired: false,
  service: { protocol: 'tsp', url: publicAddress(options.tspUrl) },
  timeoutMs: timeoutOf(options),
  check: (signal) => askTsp(options, options.tspDigest, { policy, signal }),
})

/** Asks the responders. */
export const statusCheck = (options: OnlineAuthoritiesOptions, policy: SignaturePolicy): Check => ({
  name: 'status',
  isRequired: false,
  ...(options.ocspUrl !== undefined && { service: { protocol: 'ocsp', url: publicAddress(options.ocspUrl) } }),
  timeoutMs: timeoutOf(options),
  check: (signal) => askOcsp(options, { policy, signal }),
})
