import { CallStatistics, Clock, Logger, type Plugin, provideValue, standardLogger } from '@signed-registry/core'

import { compose } from '#core/kernel/compose.js'
import { signaturesArea } from '#core/signatures/area.js'
import { SignatureVerifier } from '#core/signatures/signature-verifier.js'
import { testClock } from './authorities.js'

/** A verifier with the authorities of a plugin, without a registry or a database around it. */
export interface TestVerifier {
  /** Judges a new signature, CMS in DER. */
  verify(cms: Buffer): ReturnType<SignatureVerifier['verify']>
  close(): Promise<void>
}

export function testVerifier(plugin: Plugin, clock: Clock = testClock()): TestVerifier {
  const around = {
    name: 'test',
    provides: [
      provideValue(Clock, clock),
      provideValue(CallStatistics, { record: () => {} }),
      provideValue(Logger, standardLogger),
    ],
  }
  const parts = compose([signaturesArea], [plugin, around])
  return {
    verify: (cms) => parts.get(SignatureVerifier).verify({ signature: cms.toString('base64') }),
    close: () => parts.close(),
  }
}
