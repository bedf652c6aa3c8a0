import { type Check, publicAddress } from '@signed-registry/core'
import { askOcsp } from './ask-ocsp.js'
import { askTsp } from './ask-tsp.js'
import { lookAtTrust } from './look-at-trust.js'
import type { OnlineAuthoritiesOptions } from './options.js'

/** Looks at the trust anchors and asks the authorities; all hosts share them, so none is taken out of service for them. */
export const authorityChecks = (options: OnlineAuthoritiesOptions): readonly Check[] => {
  const { tspUrl, tspDigest, ocspUrl } = options
  return [
    { name: 'trust', isRequired: false, check: () => lookAtTrust(options) },
    {
      name: 'time stamps',
      isRequired: false,
      service: { protocol: 'tsp', url: publicAddress(tspUrl) },
      check: (signal) => askTsp(options, tspDigest, signal),
    },
    {
      name: 'status',
      isRequired: false,
      ...(ocspUrl !== undefined && { service: { protocol: 'ocsp', url: publicAddress(ocspUrl) } }),
      check: (signal) => askOcsp(options, signal),
    },
  ]
}
