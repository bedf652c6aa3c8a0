import { Database } from '../database/database.js'
import { EventPublisher } from '../events/index.js'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import type { Upload } from '../kernel/upload.js'
import { ArchiveAccounts } from '../settings/index.js'
import { isReadable, isSpooled } from './data-state.js'
import { originalErrors } from './errors.js'
import { type KeptOriginal, OriginalStore } from './original-store.js'
import { type DocumentToKeep, Payers } from './payers.js'
import { ArchiveStore, isArchiveFull } from './ports.js'
import { RemoveOriginals } from './remove-originals.js'
import { SegmentTags } from './segment-tags.js'
import { piecesOf, SEGMENT } from './segments.js'

/** The keeping of one original that has begun: its quota is reserved. It ends with `commit` or with `giveUp`. */
export interface Keeping {
  /** For `receive`; absent where the bytes are stored already. */
  readonly keep?: (original: Upload) => Promise<void>
  /**
   * Makes the copy count; in the transaction that takes the document further. Rejects with `archivalStarted` where another
   * host has taken this one for dead. Does nothing where the store failed and the copy was not demanded.
   */
  commit(): Promise<void>
  /** Gives the quota back, and deletes what was stored. Does nothing after a commit. */
  giveUp(): Promise<void>
}

/** Why an original is to be kept. */
interface Reasons {
  /** IIN or BIN whose quota has room for it. */
  readonly chargedTo: string | undefined
  /** Those who were asked before, and have no room. */
  readonly withoutRoom: readonly string[]
  /** End of temporary storage, milliseconds. */
  readonly keptUntil: number | undefined
  /** The latest moment at which mails are out that it goes with, milliseconds. It counts for no quota. */
  readonly spooledUntil: number | undefined
  /** The settings of the document ask for it, so it is not registered without. */
  readonly demanded: boolean
}

/** A copy that is being written belongs to its writer for so long after the last sign of life. */
const CLAIM_MS = 60_000
const RENEWAL_MS = CLAIM_MS / 4

/** Keeps originals for which there is a reason: archiving by somebody who has room for it, or temporary storage. */
export class KeepOriginals {
  static readonly inject = {
    originals: OriginalStore,
    removal: RemoveOriginals,
    payers: Payers,
    accounts: ArchiveAccounts,
    store: ArchiveStore,
    events: EventPublisher,
    database: Database,
    clock: Clock,
    logger: Logger,
  }

  constructor(private readonly use: Injected<typeof KeepOriginals.inject>) {}

  /** False where no original can be kept at all. */
  get canKeep(): boolean {
    return this.use.store !== undefined
  }

  /**
   * Begins to keep the original of a document, of so many bytes; `undefined` where there is no reason to, or it is kept
   * already. `spoolUntil` is when mails are out at the latest that it goes with. Rejects with `archivalStarted` while another
   * upload of the same document is being kept.
   */
  async begin(document: DocumentToKeep, size: number, spoolUntil?: number): Promise<Keeping | undefined> {
    const { store } = this.use
    if (store === undefined || (spoolUntil === undefined && !(await this.hasReason(document)))) return undefined
    const claimed = await this.use.database.transaction(() => this.claim(document, size, spoolUntil))
    const { reasons, key, isStored } = claimed
    if (key === undefined) return this.keepingNothing(reasons)
    if (isStored) return this.archivingWhatIsStored(key, reasons)

    const tags = SegmentTags.create()
    const claim = this.renew(key, 'writing')
    let hasFailed = false
    return {
      keep: async (original) => {
        const upload = watched(original.stream)
        try {
          await store.put(key, tagged(upload.bytes, tags), size)
        } catch (error) {
          // Why an upload broke off is nothing that the store has to do with.
          if (upload.failed()) throw error
          if (reasons.demanded) throw this.refusal(error)
          this.use.logger.warn('An original was not kept: the archive store failed', {
            documentId: document.id,
            error,
          })
          hasFailed = true
        }
      },
      commit: async () => {
        this.use.database.afterCommit(() => claim.end())
        await this.tellWithoutRoom(reasons)
        if (hasFailed) return this.drop(key)
        const archivedAt = reasons.chargedTo === undefined ? undefined : this.use.clock.now()
        const change = {
          documentId: document.id,
          state: 'stored',
          segments: tags.bytes,
          archivedAt,
          claimedUntil: undefined,
        } as const
        if (!(await this.use.originals.change(key, { state: 'writing' }, change))) throw started()
      },
      giveUp: async () => {
        if (claim.hasEnded) return
        claim.end()
        await this.use.database.transaction(() => this.drop(key))
        await this.use.removal.remove(key)
      },
    }
  }

  /** Looked at first without a lock: most originals are kept by nobody. */
  private async hasReason(document: DocumentToKeep): Promise<boolean> {
    const { tempStorageAfterRegistration = 0 } = document.settings
    if (document.storedAt + tempStorageAfterRegistration > this.use.clock.now()) return true
    const kept = await this.use.originals.find(document.id)
    return kept !== undefined || (await this.use.payers.of(document)).length > 0
  }

  private async claim(document: DocumentToKeep, size: number, spoolUntil: number | undefined) {
    const now = this.use.clock.now()
    let kept = await this.use.originals.lock(document.id)
    if (kept?.claimedUntil !== undefined && kept.claimedUntil > now) throw started()
    if (kept !== undefined && kept.claimedUntil !== undefined) kept = await this.use.removal.takeBack(kept)
    if (kept !== undefined && !isReadable(kept, now) && !isSpooled(kept, now)) {
      await this.use.removal.drop(kept)
      kept = undefined
    }
    const reasons = await this.reasons(document, size, kept, spoolUntil)
    const claimedUntil = now + CLAIM_MS
    const { chargedTo, keptUntil, spooledUntil } = reasons
    if (chargedTo === undefined && keptUntil === undefined && spooledUntil === undefined) {
      return { reasons, key: undefined }
    }
    if (kept !== undefined) {
      const again = {
        ...(keptUntil !== undefined && { keptUntil }),
        ...(spooledUntil !== undefined && { spooledUntil }),
        ...(chargedTo && { chargedTo, claimedUntil }),
      }
      await this.use.originals.change(kept.key, { state: 'stored' }, again)
      return { reasons, key: chargedTo === undefined ? undefined : kept.key, isStored: true }
    }
    const key = await this.use.originals.add({
      documentId: document.beingRegistered === undefined ? document.id : undefined,
      state: 'writing',
      size,
      segments: undefined,
      archivedAt: undefined,
      chargedTo,
      keptUntil,
      spooledUntil,
      claimedUntil,
    })
    if (key === undefined) throw started()
    return { reasons, key, isStored: false }
  }

  private async reasons(
    document: DocumentToKeep,
    size: number,
    kept: KeptOriginal | undefined,
    spooledUntil: number | undefined,
  ): Promise<Reasons> {
    const { forceArchive = false, tempStorageAfterRegistration = 0 } = document.settings
    const end = document.storedAt + tempStorageAfterRegistration
    const keptUntil = end > this.use.clock.now() && kept?.keptUntil !== end ? end : undefined
    const charge = kept?.archivedAt === undefined ? await this.charge(document, size) : NOBODY
    return { ...charge, keptUntil, spooledUntil, demanded: forceArchive || keptUntil !== undefined }
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

  /** Tells them once. Only now is it sure that the original was the document's, and as large as was said. */
  private async tellWithoutRoom({ withoutRoom }: Reasons): Promise<void> {
    for (const owner of withoutRoom) {
      if (await this.use.accounts.noteExceeded(owner)) {
        await this.use.events.publish({ type: 'archiveQuotaExceeded', owner })
      }
    }
  }

  private keepingNothing(reasons: Reasons): Keeping | undefined {
    if (reasons.withoutRoom.length === 0) return undefined
    return { commit: () => this.tellWithoutRoom(reasons), giveUp: async () => undefined }
  }

  /** The bytes are there: what is missing is the reason. */
  private archivingWhatIsStored(key: string, reasons: Reasons): Keeping {
    const claim = this.renew(key, 'stored')
    return {
      commit: async () => {
        this.use.database.afterCommit(() => claim.end())
        await this.tellWithoutRoom(reasons)
        const archived = { archivedAt: this.use.clock.now(), claimedUntil: undefined }
        if (!(await this.use.originals.change(key, { state: 'stored', archivedAt: undefined }, archived)))
          throw started()
      },
      giveUp: async () => {
        if (claim.hasEnded) return
        claim.end()
        await this.use.database.transaction(async () => {
          const kept = await this.use.originals.lockKey(key)
          if (kept?.state === 'stored' && kept.archivedAt === undefined) await this.use.removal.takeBack(kept)
        })
      },
    }
  }

  private async drop(key: string): Promise<void> {
    const kept = await this.use.originals.lockKey(key)
    if (kept?.state === 'writing') await this.use.removal.drop(kept)
  }

  /** Keeps a claim alive until it ends: hashing, storing and judging what came may take long. */
  private renew(key: string, state: 'writing' | 'stored'): { readonly hasEnded: boolean; end(): void } {
    const timer = setInterval(() => {
      const claimedUntil = this.use.clock.now() + CLAIM_MS
      // What cannot be renewed now may be in a while; at the end the commit decides.
      this.use.originals.renew(key, state, claimedUntil).catch(() => undefined)
    }, RENEWAL_MS)
    timer.unref()
    let hasEnded = false
    return {
      get hasEnded() {
        return hasEnded
      },
      end() {
        hasEnded = true
        clearInterval(timer)
      },
    }
  }

  private refusal(error: unknown): Error {
    return isArchiveFull(error)
      ? originalErrors.error('archiveFull', undefined, error)
      : originalErrors.error('archiveFailed', undefined, error)
  }
}

const NOBODY = { chargedTo: undefined, withoutRoom: [] } as const

const started = () => originalErrors.error('archivalStarted')

/** Cuts an original into segments, and tags each of them. */
async function* tagged(bytes: AsyncIterable<Uint8Array>, tags: SegmentTags): AsyncGenerator<Uint8Array> {
  for await (const piece of piecesOf(bytes, SEGMENT)) {
    tags.add(piece)
    yield piece
  }
}

/** A stream that tells whether it was the one that failed. */
function watched(stream: Upload['stream']): { bytes: AsyncIterable<Uint8Array>; failed: () => boolean } {
  let hasFailed = false
  async function* bytes() {
    try {
      yield* stream
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  return { bytes: bytes(), failed: () => hasFailed }
}
