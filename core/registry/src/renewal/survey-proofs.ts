import { RegistryError } from '@signed-registry/verifier'
import type { Injected } from '../kernel/service.js'
import { BatchStore } from './batch-store.js'
import { ProofEndings } from './proof-endings.js'
import { RenewBatch } from './renew-batch.js'
import type { Batch, ProofsThatEnd, RenewalFigures } from './renewal-tables.js'

/** Finds out what ends when, and how many signatures depend on it. */
export class SurveyProofs {
  static readonly inject = { batches: BatchStore, renewing: RenewBatch, endings: ProofEndings }

  constructor(private readonly use: Injected<typeof SurveyProofs.inject>) {}

  async figures(): Promise<RenewalFigures> {
    const batches = await this.use.batches.all()
    const found: ProofsThatEnd[] = []
    for (const batch of batches) found.push(...(await this.ofBatch(batch)))
    const sum = (all: readonly { readonly signatures: number }[]) => all.reduce((so, one) => so + one.signatures, 0)
    return {
      proofs: inGroups(found),
      gathered: batches.reduce((so, { members }) => so + members, 0),
      renewed: sum(found.filter(({ by }) => by === 'evidenceRecord')),
      batches: batches.length,
    }
  }

  private async ofBatch(batch: Batch): Promise<ProofsThatEnd[]> {
    const { members: signatures } = batch
    if (signatures === 0) return []
    const newest = await this.newest(batch)
    if (newest === undefined) return this.byThemselves(batch)
    if (newest instanceof RegistryError) {
      const because = String(newest.details?.reason ?? newest.code)
      return [{ authority: '', by: 'evidenceRecord', endsAt: 0, because, signatures }]
    }
    const { authority, certificates, algorithms, digest } = newest
    const endsAt = Math.min(certificates, algorithms, digest)
    const because = endsAt === certificates ? 'certificate' : endsAt === digest ? 'digest' : 'algorithm'
    return [{ authority, by: 'evidenceRecord', endsAt, because, signatures }]
  }

  private async newest(batch: Batch) {
    try {
      return await this.use.renewing.newest(batch)
    } catch (error) {
      if (error instanceof RegistryError) return error
      throw error
    }
  }

  private async byThemselves({ dependsOn }: Batch): Promise<ProofsThatEnd[]> {
    const endings = await this.use.endings.of(dependsOn)
    return endings.map(({ group, ends, endsAt, failure }) => ({
      authority: group.authority,
      by: 'timeStamp',
      endsAt,
      because:
        failure ?? (endsAt === ends.algorithms ? 'algorithm' : endsAt === ends.authority ? 'certificate' : 'revoked'),
      signatures: group.signatures,
    }))
  }
}

/** Those that end together as one, the next to end first. */
function inGroups(all: readonly ProofsThatEnd[]): ProofsThatEnd[] {
  const found = new Map<string, ProofsThatEnd>()
  for (const one of all) {
    const key = JSON.stringify([one.authority, one.by, one.endsAt, one.because])
    found.set(key, { ...one, signatures: one.signatures + (found.get(key)?.signatures ?? 0) })
  }
  return [...found.values()].sort((one, other) => one.endsAt - other.endsAt)
}
