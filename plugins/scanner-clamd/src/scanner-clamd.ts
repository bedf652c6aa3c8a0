import { Check, ContentScanner, definePlugin, provideValue } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { ClamdScanner } from './clamd-scanner.js'

export const ScannerClamdOptions = Type.Object(
  {
    address: Type.String({
      pattern: '^(unix:)?/.+$|^[^/\\s]+:[0-9]{1,5}$',
      description: 'the path of a UNIX socket, or host:port',
    }),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 1, description: 'silence of the daemon; 60 seconds unless given' }),
    ),
  },
  { additionalProperties: false },
)
export type ScannerClamdOptions = Static<typeof ScannerClamdOptions>

/** Scans content by a ClamAV daemon. */
export const scannerClamd = definePlugin({
  name: 'scanner-clamd',
  options: ScannerClamdOptions,
  parts: ({ address, timeoutMs = 60_000 }) => {
    const scanner = new ClamdScanner(address, timeoutMs)
    return {
      provides: [
        provideValue(ContentScanner, scanner),
        // Without it uploads alone are refused, at each host.
        provideValue(Check, { name: 'scanner', isRequired: false, check: () => scanner.check() }),
      ],
    }
  },
})
