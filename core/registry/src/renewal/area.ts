import { RenewedProofs } from '../documents/index.js'
import { area } from '../kernel/part.js'
import { provide, provideValue } from '../kernel/service.js'
import { BatchStore } from './batch-store.js'
import { ClosingTrees } from './closing-trees.js'
import { DataObjects } from './data-objects.js'
import { EvidenceRecords } from './evidence-records.js'
import { FillBatches } from './fill-batches.js'
import * as renewal from './migrations/0178-renewal.js'
import { ProofEndings } from './proof-endings.js'
import { RehashBatch } from './rehash-batch.js'
import { RenewBatch } from './renew-batch.js'
import { RenewEvidence } from './renew-evidence.js'
import { RenewOnRequest } from './renew-on-request.js'
import { RenewalSettings, renewalSettingsOf } from './renewal-settings.js'
import { RenewalState } from './renewal-state.js'
import { KeptRecords } from './renewed-proofs.js'
import { StampBatch } from './stamp-batch.js'

export const renewalArea = area({
  name: 'renewal',
  migrations: { '0178-renewal': renewal },
  provides: [provideValue(RenewalSettings, renewalSettingsOf({})), provide(RenewedProofs, KeptRecords)],
  services: [
    BatchStore,
    ClosingTrees,
    DataObjects,
    EvidenceRecords,
    FillBatches,
    ProofEndings,
    RehashBatch,
    RenewBatch,
    RenewalState,
    RenewEvidence,
    StampBatch,
  ],
  tasks: [RenewEvidence, RenewOnRequest],
})
