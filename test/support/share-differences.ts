import type { Registry } from '@signed-registry/core'

import { KeptLedger, type ShareDifference } from '#core/ledger/index.js'
import { OriginalStore } from '#core/originals/index.js'
import { ProcedureBodies } from '#core/procedures/bodies.js'

/** Owners who are counted for more or less than is kept for them; none in a registry that does nothing just now. */
export async function shareDifferences({ get }: Registry): Promise<ShareDifference[]> {
  const ledger = get(KeptLedger)
  return [
    ...(await ledger.differences('temporaryStorage', await get(OriginalStore).counted())),
    ...(await ledger.differences('procedureBytes', await get(ProcedureBodies).counted())),
  ]
}
