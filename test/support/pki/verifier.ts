import { CallStatistics, Clock, type Plugin } from '@signed-registry/core'
import { Container } from 'inversify'
import { signaturesModule } from '../../../core/dist/signatures/module.js'
import { SignatureVerifier } from '../../../core/dist/signatures/signature-verifier.js'
import { testClock } from './authorities.js'

/** A verifier with the authorities of a plugin, without a registry or a database around it. */
export interface TestVerifier {
  /** Judges a new signature, CMS in DER. */
  verify(cms: Buffer): ReturnType<SignatureVerifier['verify']>
  close(): Promise<void>
}

export function testVerifier(plugin: Plugin, clock: Clock = testClock()): TestVerifier {
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(plugin.module, signaturesModule)
  container.bind(Clock).toConstantValue(clock)
  container.bind(CallStatistics).toConstantValue({ record: () => {} })
  return {
    verify: (cms) => container.get(SignatureVerifier).verify({ signature: cms.toString('base64') }),
    close: async () => container.unbindAllAsync(),
  }
}
