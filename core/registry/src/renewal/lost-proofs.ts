import { SeenInLog, type SignatureRecord, SignatureStore } from '../documents/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { BatchStore } from './batch-store.js'
import { dependenceOf } from './dependence.js'
import { ProofEndings } from './proof-endings.js'
import type { LostProof } from './renewal-tables.js'
import { hasEnded, type SurveyedBatch } from './survey-proofs.js'

const AT_ONCE = 256
const LOST_KEY = 'authorityKeyCompromised'

/** Lists the signatures whose proof has ended, or was lost with the key of an authority. */
export class LostProofs {
  static readonly inject = {
    endings: ProofEndings,
    batches: BatchStore,
    signatures: SignatureStore,
    seen: SeenInLog,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof LostProofs.inject>) {}

  /** Of these batches, in the order of `signId`. */
  async *all(surveyed: readonly SurveyedBatch[]): AsyncGenerator<Omit<LostProof, 'foundAt'>> {
    const now = this.use.clock.now()
    for (const { batch, groups } of surveyed) {
      const ended = groups.filter((one) => hasEnded(one, now))
      if (ended.length > 0)
        yield* this.among(batch.batch, new Map(ended.map(({ group, because }) => [group.key, because])))
    }
  }

  private async *among(batch: number, ended: ReadonlyMap<string, string>): AsyncGenerator<Omit<LostProof, 'foundAt'>> {
    for (let place = 0; ; place += AT_ONCE) {
      const members = await this.use.batches.membersFrom(batch, place, AT_ONCE)
      const found = await this.use.signatures.withEvidence(members.map(({ signId }) => signId))
      for (const one of found.sort((a, b) => a.signId - b.signId)) {
        const because = ended.get(dependenceOf(one).key)
        if (because === LOST_KEY && (await this.isSeenInLog(one))) continue
        if (because !== undefined) yield { documentId: one.documentId, signId: one.signId, because }
      }
      if (members.length < AT_ONCE) return
    }
  }

  /** Whether a checkpoint of the log shows it to be older than the loss of the key. */
  private async isSeenInLog(signature: SignatureRecord): Promise<boolean> {
    const existedAt = await this.use.seen.at(signature.signId)
    return existedAt !== undefined && (await this.use.endings.isGoodAsOf(signature, existedAt))
  }
}
