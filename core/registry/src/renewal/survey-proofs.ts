import { RegistryError } from '@signed-registry/verifier'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { type BatchProof, BatchRecords } from './batch-records.js'
import { BatchStore } from './batch-store.js'
import type { Dependence } from './dependence.js'
import { ProofEndings } from './proof-endings.js'
import type { Batch, ProofsThatEnd, RenewalFigures } from './renewal-tables.js'

/** Finds out what ends when, and how many signatures depend on it. */
export class SurveyProofs {
  static readonly inject = { batches: BatchStore, records: BatchRecords, endings: ProofEndings, clock: Clock }

  constructor(private readonly use: Injected<typeof SurveyProofs.inject>) {}

  /** Every batch with its groups. */
  async look(): Promise<SurveyedBatch[]> {
    const surveyed: SurveyedBatch[] = []
    for (const batch of await this.use.batches.all())
      if (batch.members > 0) surveyed.push({ batch, groups: await this.groups(batch) })
    return surveyed
  }

  private async groups(batch: Batch): Promise<GroupProof[]> {
    const now = this.use.clock.now()
    const found = await this.use.records.proof(batch)
    const record = found instanceof RegistryError ? undefined : found
    const endings = await this.use.endings.of(batch.dependsOn, record?.existedAt)
    return endings.map(({ group, ends, endsAt, failure }) => {
      const own = { group, authority: group.authority, by: 'timeStamp', signatures: group.signatures } as const
      if (failure !== undefined) return { ...own, endsAt: 0, because: failure }
      if (ends.authority < (record?.existedAt ?? now)) return { ...own, endsAt: ends.authority, because: 'certificate' }
      if (record !== undefined) return { ...own, by: 'evidenceRecord', ...recordEnds(record) }
      const isFirst = endsAt === ends.algorithms ? 'algorithm' : 'revoked'
      return { ...own, endsAt, because: endsAt === ends.authority ? 'certificate' : isFirst }
    })
  }
}

/** What a group of signatures is proved by. */
export interface GroupProof extends ProofsThatEnd {
  readonly group: Dependence
}

/** A batch, and what each group of its signatures is proved by. */
export interface SurveyedBatch {
  readonly batch: Batch
  readonly groups: readonly GroupProof[]
}

/** What is kept of a survey. */
export function figuresOf(surveyed: readonly SurveyedBatch[]): RenewalFigures {
  const found = surveyed.flatMap(({ groups }) => groups.map(({ group: _, ...proof }): ProofsThatEnd => proof))
  const renewed = found.filter(({ by }) => by === 'evidenceRecord')
  return {
    proofs: inGroups(found),
    gathered: surveyed.reduce((sum, { batch }) => sum + batch.members, 0),
    renewed: renewed.reduce((sum, { signatures }) => sum + signatures, 0),
    batches: surveyed.length,
  }
}

/** Whether a proof has ended by a time. */
export const hasEnded = ({ endsAt }: ProofsThatEnd, now: number): boolean => endsAt <= now

function recordEnds({ newest, certificates, algorithms, digest }: BatchProof) {
  const endsAt = Math.min(certificates, algorithms, digest)
  const because = endsAt === certificates ? 'certificate' : endsAt === digest ? 'digest' : 'algorithm'
  return { authority: newest.signer.subject.toString(), endsAt, because }
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
