import { kindOfOwner, type Owner } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { KeptLedger } from '../ledger/index.js'
import { isReadable, isSpooled } from './data-state.js'
import { OriginalLimits } from './limits.js'
import { type KeptOriginal, OriginalStore } from './original-store.js'
import type { DocumentToKeep } from './payers.js'

/** Says until when copies stay in temporary storage, and for whom they count there. */
export class TemporaryStorage {
  static readonly inject = { originals: OriginalStore, ledger: KeptLedger, clock: Clock, limits: OriginalLimits }

  constructor(private readonly use: Injected<typeof TemporaryStorage.inject>) {}

  /** When it ends for who brings the original: sooner for strangers, whom nobody can ask to take it away. Milliseconds. */
  endOf(document: DocumentToKeep, by: Owner): number {
    if (kindOfOwner(by) !== 'stranger') return endOf(document)
    return Math.min(endOf(document), document.storedAt + this.use.limits.strangersTempStorageMs)
  }

  /** Has a locked copy that no archive pays for count for another owner from now on; answers who it is. */
  async passOn({ keptFor, archivedAt, size }: KeptOriginal, by: Owner): Promise<Owner | undefined> {
    if (archivedAt !== undefined || keptFor === by) return keptFor
    if (keptFor !== undefined) await this.use.ledger.release('temporaryStorage', keptFor, size)
    await this.use.ledger.take('temporaryStorage', by, size)
    return by
  }

  /**
   * Applies changed settings to the stored copy of a locked document, if there is one. A copy that is kept longer counts in
   * the share of `by` from then on, since nobody may fill the share of another. It is kept for less time only where `mayEnd`;
   * the sweep deletes what has expired. Rejects with `shareTaken` and `serviceBusy`.
   */
  async follow(document: DocumentToKeep, by: Owner, mayEnd: boolean): Promise<void> {
    const kept = await this.use.originals.lock(document.id)
    const now = this.use.clock.now()
    // What is over is on its way out, whether or not it was deleted already.
    if (kept === undefined || !(kept.state === 'writing' || isReadable(kept, now) || isSpooled(kept, now))) return
    const longer = this.endOf(document, by)
    const isLonger = longer > Math.max(kept.keptUntil ?? 0, now)
    if (!isLonger && (kept.keptUntil === undefined || !mayEnd)) return
    const keptUntil = isLonger ? longer : Math.min(kept.keptUntil ?? 0, endOf(document))
    // What comes in at an archive's cost has no share yet.
    const counts = isLonger && !(kept.state === 'writing' && kept.chargedTo !== undefined)
    const keptFor = counts ? await this.passOn(kept, by) : kept.keptFor
    await this.use.originals.change(kept.key, {}, { keptUntil, keptFor })
  }
}

/** When the temporary storage ends that settings ask for. */
const endOf = ({ storedAt, settings: { tempStorageAfterRegistration = 0 } }: DocumentToKeep): number =>
  storedAt + tempStorageAfterRegistration
