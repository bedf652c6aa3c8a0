import type { Check } from '@signed-registry/core'
import { askOcsp, askTsp, lookAtTrust } from './look-at-authorities.js'
import type { OnlineAuthoritiesOptions } from './options.js'

/** Looks at the trust anchors and asks the authorities; all hosts share them, so none is taken out of service for them. */
export const authorityChecks = (options: OnlineAuthoritiesOptions): readonly Check[] => [
  { name: 'trust', isRequired: false, check: () => lookAtTrust(options) },
  { name: 'time stamps', isRequired: false, check: () => askTsp(options) },
  { name: 'status', isRequired: false, check: () => askOcsp(options) },
]
