import { RenewedProofs } from '../documents/index.js'
import { area } from '../kernel/part.js'
import { ReadinessCheck } from '../kernel/readiness.js'
import { provide, provideValue } from '../kernel/service.js'
import { BatchRecords } from './batch-records.js'
import { BatchStore } from './batch-store.js'
import { ClosingTrees } from './closing-trees.js'
import { DataObjects } from './data-objects.js'
import { EvidenceRecords } from './evidence-records.js'
import { FillBatches } from './fill-batches.js'
import { LostProofs } from './lost-proofs.js'
import { LostStore } from './lost-store.js'
import * as renewal from './migrations/0178-renewal.js'
import * as toldOf from './migrations/0179-told-of.js'
import { ProofEndings } from './proof-endings.js'
import { RehashBatch } from './rehash-batch.js'
import { RenewBatch } from './renew-batch.js'
import { RenewEvidence } from './renew-evidence.js'
import { RenewOnRequest } from './renew-on-request.js'
import { RenewalReadiness, ReportRenewal } from './renewal-report.js'
import { RenewalSettings, renewalSettingsOf } from './renewal-settings.js'
import { RenewalState } from './renewal-state.js'
import { KeptRecords } from './renewed-proofs.js'
import { StampBatch } from './stamp-batch.js'
import { SurveyProofs } from './survey-proofs.js'
import { TreeDigests } from './tree-digests.js'

const settings = provideValue(RenewalSettings, renewalSettingsOf({}))

/** The part of the area that needs the database alone, for the operator's commands. */
export const renewalReports = area({
  name: 'renewal',
  provides: [settings],
  services: [BatchStore, LostStore, RenewalState, ReportRenewal],
})

export const renewalArea = area({
  name: 'renewal',
  migrations: { '0178-renewal': renewal, '0179-told-of': toldOf },
  provides: [settings, provide(RenewedProofs, KeptRecords), provide(ReadinessCheck, RenewalReadiness)],
  services: [
    BatchRecords,
    BatchStore,
    ClosingTrees,
    DataObjects,
    EvidenceRecords,
    FillBatches,
    LostProofs,
    LostStore,
    ProofEndings,
    RehashBatch,
    RenewBatch,
    RenewalState,
    RenewEvidence,
    ReportRenewal,
    StampBatch,
    SurveyProofs,
    TreeDigests,
  ],
  tasks: [RenewEvidence, RenewOnRequest],
})
