import {
  anyAddress,
  CertificatesInUse,
  Check,
  ClientCertificate,
  ClientCertificateOptions,
  Clock,
  checkAddress,
  definePlugin,
  MobileApp,
  OutboundClient,
  provide,
  provideValue,
  Reloadable,
} from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { relayErrors } from './relay-errors.js'
import { RelayedApp } from './relayed-app.js'

const Pem = Type.String({ pattern: '-----BEGIN ' })

/** Options of `govQrRelay`. */
export const GovQrRelayOptions = Type.Object(
  {
    /** Address of the raw interface of the other service, such as `https://other.example/api/govQr`; without TLS on this machine alone. */
    url: Type.String({
      pattern: '^(https://[^\\s/?#@]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?)/[^\\s?#]*$',
    }),
    /** For services that require one. */
    clientCertificate: Type.Optional(ClientCertificateOptions),
    /** Certificates that the service is trusted by, in place of those of Node. */
    trust: Type.Optional(Pem),
    /** Timeout for starting a procedure, milliseconds; default 10 seconds. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000 })),
    /** Idle time after which a long poll is repeated, milliseconds; default 50 seconds. */
    silenceMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 600_000 })),
  },
  { additionalProperties: false },
)
export type GovQrRelayOptions = Static<typeof GovQrRelayOptions>

/** Plugin: the mobile application reaches procedures through the raw interface of another service, whose domain it trusts. */
export const govQrRelay = definePlugin({
  name: 'gov-qr-relay',
  options: GovQrRelayOptions,
  parts: ({ clientCertificate, trust, url, timeoutMs = 10_000, silenceMs = 50_000 }) => {
    const shown = clientCertificate && new ClientCertificate('gov-qr-relay client', clientCertificate)
    return {
      errors: [relayErrors],
      provides: [
        ...(shown ? [provideValue(Reloadable, shown), provideValue(CertificatesInUse, shown)] : []),
        provideValue(Check, {
          name: 'phone signing',
          // All hosts share the service, and serve all but new procedures without it.
          isRequired: false,
          async check(signal) {
            const client = new OutboundClient({ guard: anyAddress, clientCertificate: shown, trust })
            return checkAddress(client, url, signal).finally(() => client.close())
          },
        }),
        provide(MobileApp, {
          inject: { clock: Clock },
          make: ({ clock }) =>
            new RelayedApp(
              // The address is the operator's; what the service answers has to lead back to it.
              new OutboundClient({
                guard: anyAddress,
                clientCertificate: shown,
                trust,
                maxSockets: Number.POSITIVE_INFINITY,
              }),
              { url, timeoutMs, silenceMs },
              clock,
            ),
          close: (app) => app.close(),
        }),
      ],
    }
  },
})
