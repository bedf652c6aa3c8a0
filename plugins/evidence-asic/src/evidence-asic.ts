import { definePlugin, EvidenceBuilder, EvidenceParser, provideValue } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { AsicEvidence } from './asic-evidence.js'

/** Options of `evidenceAsic`: none. */
export const EvidenceAsicOptions = Type.Object({}, { additionalProperties: false })
export type EvidenceAsicOptions = Static<typeof EvidenceAsicOptions>

/** Plugin: writes evidence bundles as ASiC containers, and reads them. */
export const evidenceAsic = definePlugin({
  name: 'evidence-asic',
  options: EvidenceAsicOptions,
  parts: () => {
    const asic = new AsicEvidence()
    return { provides: [provideValue(EvidenceBuilder, asic), provideValue(EvidenceParser, asic)] }
  },
})
