import { Database } from '../database/database.js'
import { kindOfOwner, type Owner } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import { KeptLedger } from '../ledger/index.js'
import { ArchiveAccounts } from '../settings/index.js'
import { isReadable, isSpooled } from './data-state.js'
import { originalErrors } from './errors.js'
import { OriginalLimits } from './limits.js'
import { isClaimed, type KeptOriginal, OriginalStore } from './original-store.js'
import { type DocumentToKeep, Payers } from './payers.js'
import { RemoveOriginals } from './remove-originals.js'

/** Decides how long copies stay in temporary storage, and whose share they use. */
export class TemporaryStorage {
  static readonly inject = { originals: OriginalStore, ledger: KeptLedger, clock: Clock, limits: OriginalLimits }

  constructor(private readonly use: Injected<typeof TemporaryStorage.inject>) {}

  /** When temporary storage ends for whoever uploads the original, milliseconds; sooner for strangers. */
  endOf(document: DocumentToKeep, by: Owner): number {
    if (kindOfOwner(by) !== 'stranger') return endOf(document)
    return Math.min(endOf(document), document.storedAt + this.use.limits.strangersTempStorageMs)
  }

  /** Moves a locked copy that is not archived to another owner's share; answers whose share it uses. */
  async passOn({ keptFor, archivedAt, size }: KeptOriginal, by: Owner): Promise<Owner | undefined> {
    if (archivedAt !== undefined || keptFor === by) return keptFor
    if (keptFor !== undefined) await this.use.ledger.release('temporaryStorage', keptFor, size)
    await this.use.ledger.take('temporaryStorage', by, size)
    return by
  }

  /**
   * Applies changed settings to the copy of a locked document. A copy that is kept longer moves to the share of `by`, since
   * nobody may fill another's share; the time is shortened only where `mayEnd`, and the sweep deletes expired copies. Rejects
   * with `shareTaken` and `serviceBusy`.
   */
  async follow(document: DocumentToKeep, by: Owner, mayEnd: boolean): Promise<void> {
    const kept = await this.use.originals.lock(document.id)
    const now = this.use.clock.now()
    // An expired copy counts as deleted.
    if (kept === undefined || !(kept.state === 'writing' || isReadable(kept, now) || isSpooled(kept, now))) return
    const longer = this.endOf(document, by)
    const isLonger = longer > Math.max(kept.keptUntil ?? 0, now)
    if (!isLonger && (kept.keptUntil === undefined || !mayEnd)) return
    const keptUntil = isLonger ? longer : Math.min(kept.keptUntil ?? 0, endOf(document))
    // A copy being written at an archive's cost uses no share yet.
    const counts = isLonger && !(kept.state === 'writing' && kept.chargedTo !== undefined)
    const keptFor = counts ? await this.passOn(kept, by) : kept.keptFor
    await this.use.originals.change(kept.key, {}, { keptUntil, keptFor })
  }
}

/** End of the temporary storage that the settings ask for. */
const endOf = ({ storedAt, settings: { tempStorageAfterRegistration = 0 } }: DocumentToKeep): number =>
  storedAt + tempStorageAfterRegistration

/** An original that is being uploaded. */
export interface Brought {
  readonly document: DocumentToKeep
  /** Bytes. */
  readonly size: number
  /** Whose share its temporary storage uses: the uploader's, whoever signed. */
  readonly by: Owner
  /** When all mails that attach it are sent at the latest, milliseconds; absent where none does. */
  readonly spoolUntil?: number | undefined
}

/** Why an original is to be kept. */
export interface Reasons {
  /** IIN or BIN whose quota it uses. */
  readonly chargedTo: string | undefined
  /** Earlier candidates whose quotas had no room. */
  readonly withoutRoom: readonly string[]
  /** End of temporary storage, milliseconds. */
  readonly keptUntil: number | undefined
  /** As `spoolUntil` of `Brought`. */
  readonly spooledUntil: number | undefined
  /** The document's settings demand a copy, so a failure to store it fails the upload. */
  readonly demanded: boolean
}

/** A copy that one upload may write or archive for a while. */
export interface Claimed {
  readonly reasons: Reasons
  /** Absent where there is nothing to write or archive. */
  readonly key: string | undefined
  readonly isStored: boolean
}

/** A claim expires this long after its last renewal. */
export const CLAIM_MS = 60_000

/** Claims copies: finds out why an original is to be kept and reserves its space before reading it. */
export class ClaimOriginals {
  static readonly inject = {
    originals: OriginalStore,
    removal: RemoveOriginals,
    payers: Payers,
    accounts: ArchiveAccounts,
    ledger: KeptLedger,
    database: Database,
    clock: Clock,
    temporary: TemporaryStorage,
  }

  constructor(private readonly use: Injected<typeof ClaimOriginals.inject>) {}

  /**
   * `undefined` where there is no reason to keep it. Without room for a copy that is only for mails, the mails go without it.
   * Rejects with `archivalStarted`, `shareTaken` and `serviceBusy`.
   */
  async claim(brought: Brought): Promise<Claimed | undefined> {
    const { spoolUntil, ...alone } = brought
    if (spoolUntil === undefined && !(await this.hasReason(brought))) return undefined
    try {
      return await this.use.database.transaction(() => this.claimInTurn(brought))
    } catch (error) {
      if (spoolUntil === undefined || !hasNoRoom(error)) throw error
      return this.use.database.transaction(() => this.claimInTurn(alone))
    }
  }

  /** Checked first without a lock, since most originals are not kept. */
  private async hasReason(brought: Brought): Promise<boolean> {
    const { document } = brought
    if (this.use.temporary.endOf(document, brought.by) > this.use.clock.now()) return true
    const [kept, payers] = await Promise.all([this.use.originals.find(document.id), this.use.payers.of(document)])
    if (kept !== undefined) return kept.state !== 'stored' || kept.archivedAt === undefined
    return payers.length > 0
  }

  private async claimInTurn(brought: Brought): Promise<Claimed> {
    const { document, size, by } = brought
    const now = this.use.clock.now()
    let kept = await this.use.originals.lock(document.id)
    if (isClaimed(kept?.claimedUntil, now)) throw started()
    if (kept !== undefined && kept.claimedUntil !== undefined) kept = await this.use.removal.takeBack(kept)
    if (kept !== undefined && !isReadable(kept, now) && !isSpooled(kept, now)) {
      await this.use.removal.drop(kept)
      kept = undefined
    }
    const reasons = await this.reasons(brought, kept)
    const claimedUntil = now + CLAIM_MS
    const { chargedTo, keptUntil, spooledUntil } = reasons
    if (chargedTo === undefined && keptUntil === undefined && spooledUntil === undefined) {
      return { reasons, key: undefined, isStored: false }
    }
    if (kept !== undefined) {
      const keptFor = keptUntil === undefined ? kept.keptFor : await this.use.temporary.passOn(kept, by)
      const again = {
        ...(keptUntil !== undefined && { keptUntil, keptFor }),
        ...(spooledUntil !== undefined && { spooledUntil }),
        ...(chargedTo && { chargedTo, claimedUntil }),
      }
      await this.use.originals.change(kept.key, { state: 'stored' }, again)
      return { reasons, key: chargedTo === undefined ? undefined : kept.key, isStored: true }
    }
    // An archived copy uses no share of temporary storage.
    const keptFor = chargedTo === undefined ? by : undefined
    if (keptFor !== undefined) await this.use.ledger.take('temporaryStorage', keptFor, size)
    const key = await this.use.originals.add({
      documentId: document.beingRegistered === undefined ? document.id : undefined,
      state: 'writing',
      size,
      segments: undefined,
      archivedAt: undefined,
      chargedTo,
      keptUntil,
      keptFor,
      spooledUntil,
      claimedUntil,
    })
    if (key === undefined) throw started()
    return { reasons, key, isStored: false }
  }

  private async reasons(brought: Brought, kept: KeptOriginal | undefined): Promise<Reasons> {
    const { document, size, spoolUntil } = brought
    const { forceArchive = false } = document.settings
    const end = this.use.temporary.endOf(document, brought.by)
    // A later uploader takes the copy over if it is to stay longer for them.
    const keptUntil = end > Math.max(kept?.keptUntil ?? 0, this.use.clock.now()) ? end : undefined
    const charge = kept?.archivedAt === undefined ? await this.charge(document, size) : NOBODY
    return { ...charge, keptUntil, spooledUntil: spoolUntil, demanded: forceArchive || keptUntil !== undefined }
  }

  /** Reserves the bytes in the first quota that has room for them. */
  private async charge(document: DocumentToKeep, size: number): Promise<Pick<Reasons, 'chargedTo' | 'withoutRoom'>> {
    const withoutRoom: string[] = []
    for (const owner of await this.use.payers.of(document)) {
      if (await this.use.accounts.reserve(owner, size)) return { chargedTo: owner, withoutRoom }
      withoutRoom.push(owner)
    }
    return { chargedTo: undefined, withoutRoom }
  }
}

const NOBODY = { chargedTo: undefined, withoutRoom: [] } as const

const hasNoRoom = (error: unknown): boolean =>
  error instanceof RegistryError && (error.code === 'shareTaken' || error.code === 'serviceBusy')

/** Another upload of the document is being stored. */
export const started = () => originalErrors.error('archivalStarted')
