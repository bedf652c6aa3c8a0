import { Database } from '../database/database.js'
import { EventPublisher } from '../events/index.js'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import type { Upload } from '../kernel/upload.js'
import { ArchiveAccounts } from '../settings/index.js'
import { type Brought, CLAIM_MS, ClaimOriginals, type Reasons, started } from './claim-originals.js'
import { originalErrors } from './errors.js'
import { OriginalStore } from './original-store.js'
import { ArchiveStore, isArchiveFull } from './ports.js'
import { RemoveOriginals } from './remove-originals.js'
import { SegmentTags } from './segment-tags.js'
import { piecesOf, SEGMENT } from './segments.js'

/** The storing of one original, whose space is reserved. End it with `commit` or `giveUp`. */
export interface Keeping {
  /** For `receive`; absent where the bytes are stored already. */
  readonly keep?: (original: Upload) => Promise<void>
  /**
   * Makes the copy valid, in the transaction that changes the document. Rejects with `archivalStarted` where the claim has
   * expired and another upload took it. Does nothing where the store failed and the copy was not demanded.
   */
  commit(): Promise<void>
  /** Releases the space and deletes what was stored. Does nothing after a commit. */
  giveUp(): Promise<void>
}

const RENEWAL_MS = CLAIM_MS / 4

/** Stores originals that are to be archived at somebody's cost, kept in temporary storage or attached to mails. */
export class KeepOriginals {
  static readonly inject = {
    originals: OriginalStore,
    removal: RemoveOriginals,
    claims: ClaimOriginals,
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
   * Begins to store an original; `undefined` where there is no reason to or it is stored already. Rejects with
   * `archivalStarted` while another upload of the document is being stored, and with `shareTaken` or `serviceBusy` where the
   * temporary storage that its settings ask for is full.
   */
  async begin(brought: Brought): Promise<Keeping | undefined> {
    const { store } = this.use
    const { document, size } = brought
    const claimed = store === undefined ? undefined : await this.use.claims.claim(brought)
    if (store === undefined || claimed === undefined) return undefined
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
          // A broken upload is not the store's failure.
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

  /** Tells them once, after the commit: only now the original is known to be genuine and of the declared size. */
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

  /** Archives a copy that is stored already for another reason. */
  private archivingWhatIsStored(key: string, reasons: Reasons): Keeping {
    const claim = this.renew(key, 'stored')
    return {
      commit: async () => {
        this.use.database.afterCommit(() => claim.end())
        await this.tellWithoutRoom(reasons)
        const kept = await this.use.originals.lockKey(key)
        if (kept?.state !== 'stored' || kept.archivedAt !== undefined) throw started()
        await this.use.removal.endCount(kept)
        const archived = { archivedAt: this.use.clock.now(), claimedUntil: undefined, keptFor: undefined }
        await this.use.originals.change(key, {}, archived)
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

  /** Renews a claim until it ends, since hashing, storing and verifying may take long. */
  private renew(key: string, state: 'writing' | 'stored'): { readonly hasEnded: boolean; end(): void } {
    const timer = setInterval(() => {
      const claimedUntil = this.use.clock.now() + CLAIM_MS
      // A failed renewal may succeed next time; in the end the commit decides.
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

/** Splits an original into segments and computes the tag of each. */
async function* tagged(bytes: AsyncIterable<Uint8Array>, tags: SegmentTags): AsyncGenerator<Uint8Array> {
  for await (const piece of piecesOf(bytes, SEGMENT)) {
    tags.add(piece)
    yield piece
  }
}

/** A stream that remembers whether it failed. */
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
