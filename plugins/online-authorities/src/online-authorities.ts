import {
  Check,
  Clock,
  definePlugin,
  provide,
  provideValue,
  SignaturePolicy,
  StatusSource,
  TimestampSource,
  TrustStore,
} from '@signed-registry/core'
import { statusCheck, timeStampCheck, trustCheck } from './authority-checks.js'
import { ConfiguredTrust } from './configured-trust.js'
import { OnlineStatusSource, OnlineTimestampSource } from './online-sources.js'
import { OnlineAuthoritiesOptions } from './options.js'

/** Plugin: a time-stamping authority and OCSP responders over HTTP, and trust anchors from files. */
export const onlineAuthorities = definePlugin({
  name: 'online-authorities',
  options: OnlineAuthoritiesOptions,
  parts: (options) => ({
    provides: [
      provideValue(Check, trustCheck(options)),
      provide(Check, {
        inject: { policy: SignaturePolicy },
        make: ({ policy }) => timeStampCheck(options, policy),
      }),
      provide(Check, {
        inject: { policy: SignaturePolicy },
        make: ({ policy }) => statusCheck(options, policy),
      }),
      provide(TrustStore, {
        inject: { clock: Clock },
        make: ({ clock }) => new ConfiguredTrust(options.trustAnchors, clock, options.trustedResponders),
      }),
      provide(TimestampSource, {
        make: () => new OnlineTimestampSource(options),
        close: (source) => source.close(),
      }),
      provide(StatusSource, {
        make: () => new OnlineStatusSource(options),
        close: (source) => source.close(),
      }),
    ],
  }),
})
