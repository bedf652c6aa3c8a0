import { coreAreas } from './core-areas.js'
import { openDatabase } from './database/open.js'
import { AllCertificates, type CertificateInUse, CertificatesInUse } from './kernel/certificates-in-use.js'
import { type CheckResult, Checks } from './kernel/check.js'
import { compose } from './kernel/compose.js'
import type { Part } from './kernel/part.js'
import { provideValue } from './kernel/service.js'
import { foundation, type RegistryOptions } from './registry.js'
import { defaultSignaturePolicy, SignaturePolicy } from './signatures/index.js'

/** What plugins depend on, and which certificates they show. */
export interface PluginReport {
  readonly checks: readonly CheckResult[]
  readonly certificates: readonly CertificateInUse[]
}

/** Runs the checks of plugins without a registry: nothing is started or migrated. Rejects for plugins that no registry would take. */
export async function runChecks({
  database,
  plugins,
  signaturePolicy,
}: Pick<RegistryOptions, 'database' | 'plugins' | 'signaturePolicy'>): Promise<PluginReport> {
  const given = signaturePolicy && provideValue(SignaturePolicy, { ...defaultSignaturePolicy, ...signaturePolicy })
  const options = { name: 'the options of runChecks', provides: given ? [given] : [] }
  const isOurs = typeof database === 'string'
  const knex = typeof database === 'string' ? openDatabase(database) : database
  try {
    const composition = compose(
      [...coreAreas.map(withoutCertificates), foundation(knex, isOurs)],
      [...plugins, options],
    )
    try {
      return { checks: await composition.get(Checks).run(), certificates: composition.get(AllCertificates).list() }
    } finally {
      await composition.close()
    }
  } finally {
    if (isOurs) await knex.destroy()
  }
}

/** Trust anchors would have to be loaded, which development authorities make: those of plugins alone are looked at. */
const withoutCertificates = (part: Part): Part => ({
  ...part,
  provides: (part.provides ?? []).filter(({ port }) => port.id !== CertificatesInUse.id),
})
