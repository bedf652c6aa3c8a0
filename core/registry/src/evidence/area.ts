import { evidenceErrors } from '@signed-registry/verifier/evidence'
import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provideValue } from '../kernel/service.js'
import { BundleSignatures } from './bundle-signatures.js'
import { BundledLogs } from './bundled-log.js'
import { BundledOriginals } from './bundled-original.js'
import { DocumentsInBundle } from './documents-in-bundle.js'
import { bundleErrors } from './errors.js'
import { EvidenceWork } from './evidence-work.js'
import { EvidenceLimits } from './limits.js'
import { MakeBundle } from './make-bundle.js'
import * as operations from './operations.js'
import { EvidenceBuilder, EvidenceParser } from './ports.js'
import { ReadBundles } from './read-bundle.js'
import { RegisterBundle } from './register-bundle.js'

export const evidenceArea = area({
  name: 'evidence',
  errors: [evidenceErrors, bundleErrors],
  services: [
    EvidenceWork,
    BundleSignatures,
    BundledLogs,
    BundledOriginals,
    MakeBundle,
    ReadBundles,
    DocumentsInBundle,
    RegisterBundle,
  ],
  provides: [
    provideLimits(EvidenceLimits),
    provideValue(EvidenceBuilder, undefined),
    provideValue(EvidenceParser, undefined),
  ],
  operations: Object.values(operations),
})
