import { coreAreas } from './core-areas.js'
import { openDatabase } from './database/open.js'
import { AllCertificates, type CertificateInUse, CertificatesInUse } from './kernel/certificates-in-use.js'
import { type CheckResult, Checks } from './kernel/check.js'
import { compose } from './kernel/compose.js'
import type { Part } from './kernel/part.js'
import { foundation, optionsPart, type RegistryOptions } from './registry.js'

/** What plugins depend on, and which certificates they show. */
export interface PluginReport {
  readonly checks: readonly CheckResult[]
  readonly certificates: readonly CertificateInUse[]
}

/** Runs the checks of plugins without a registry: nothing is started or migrated. Rejects for plugins that no registry would take. */
export async function runChecks(
  options: Pick<RegistryOptions, 'database' | 'plugins' | 'signaturePolicy'>,
): Promise<PluginReport> {
  const { database, plugins } = options
  const isOurs = typeof database === 'string'
  const knex = typeof database === 'string' ? openDatabase(database) : database
  try {
    const areas = [...coreAreas.map(withoutCertificates), foundation(knex, isOurs)]
    const composition = compose(areas, [...plugins, optionsPart(options)])
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
