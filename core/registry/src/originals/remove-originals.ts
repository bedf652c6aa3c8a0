import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { KeptLedger } from '../ledger/index.js'
import { ArchiveAccounts } from '../settings/index.js'
import { isSpooled } from './data-state.js'
import { isClaimed, type KeptOriginal, OriginalStore } from './original-store.js'
import { ArchivePieces } from './pieces.js'
import { ArchiveStore } from './ports.js'

const AT_ONCE = 100

/** Removes copies from the archive store: first they become unreadable, then they are deleted. */
export class RemoveOriginals {
  static readonly inject = {
    originals: OriginalStore,
    accounts: ArchiveAccounts,
    ledger: KeptLedger,
    store: ArchiveStore,
    database: Database,
    clock: Clock,
    logger: Logger,
  }

  constructor(private readonly use: Injected<typeof RemoveOriginals.inject>) {}

  /** Releases a locked copy's share of temporary storage; the caller updates the row. */
  async endCount({ keptFor, size }: KeptOriginal): Promise<void> {
    if (keptFor !== undefined) await this.use.ledger.release('temporaryStorage', keptFor, size)
  }

  /** Releases the quota and share of a locked copy and marks it for deletion, in the caller's transaction. */
  async drop(kept: KeptOriginal): Promise<void> {
    if (kept.chargedTo !== undefined) await this.use.accounts.release(kept.chargedTo, kept.size)
    await this.endCount(kept)
    const change = {
      state: 'dropped',
      documentId: undefined,
      chargedTo: undefined,
      keptFor: undefined,
      claimedUntil: undefined,
      spooledUntil: undefined,
    } as const
    await this.use.originals.change(kept.key, {}, change)
  }

  /** Ends an abandoned claim on a locked copy. Answers the copy if it is kept for another reason. */
  async takeBack(kept: KeptOriginal): Promise<KeptOriginal | undefined> {
    if (kept.state !== 'stored') {
      await this.drop(kept)
      return undefined
    }
    const { archivedAt, chargedTo, keptUntil, spooledUntil } = kept
    // The mails that it was kept for may have been sent meanwhile.
    if (archivedAt === undefined && keptUntil === undefined && spooledUntil === undefined) {
      await this.drop(kept)
      return undefined
    }
    const isCharged = archivedAt === undefined && chargedTo !== undefined
    if (isCharged) await this.use.accounts.release(chargedTo, kept.size)
    const change = { claimedUntil: undefined, ...(isCharged && { chargedTo: undefined }) }
    await this.use.originals.change(kept.key, {}, change)
    return { ...kept, ...change }
  }

  /** Deletes a dropped copy; the next sweep retries where the store fails. */
  async remove(key: string): Promise<boolean> {
    try {
      await this.use.store?.delete(key)
      await this.use.originals.remove(key)
      return true
    } catch (error) {
      this.use.logger.warn('An original was not deleted yet: the archive store failed', { key, error })
      return false
    }
  }

  /** Ends the spooling of a locked copy, and drops it unless it is kept for another reason. */
  async endSpool(kept: KeptOriginal): Promise<void> {
    const { archivedAt, keptUntil, claimedUntil } = kept
    if (archivedAt === undefined && keptUntil === undefined && claimedUntil === undefined) await this.drop(kept)
    else await this.use.originals.change(kept.key, {}, { spooledUntil: undefined })
  }

  /** Drops expired and abandoned copies, and deletes dropped ones. */
  async sweep(): Promise<void> {
    if (this.use.store === undefined) return
    const now = this.use.clock.now()
    await this.each(
      (after) => this.use.originals.abandoned(now, after, AT_ONCE),
      async (kept) => {
        if (kept.claimedUntil !== undefined && !isClaimed(kept.claimedUntil, now)) await this.takeBack(kept)
      },
    )
    await this.each(
      (after) => this.use.originals.ended(now, after, AT_ONCE),
      async (kept) => {
        if (!isOver(kept.keptUntil, now) || kept.claimedUntil !== undefined) return
        if (kept.archivedAt === undefined && !isSpooled(kept, now)) await this.drop(kept)
        else await this.use.originals.change(kept.key, {}, { keptUntil: undefined })
      },
    )
    await this.each(
      (after) => this.use.originals.spooled(after, AT_ONCE),
      (kept) => (isOver(kept.spooledUntil, now) ? this.endSpool(kept) : Promise.resolve()),
    )
    for (let after = ''; ; ) {
      const dropped = await this.use.originals.dropped(after, AT_ONCE)
      for (const { key } of dropped) await this.remove(key)
      after = dropped.at(-1)?.key ?? ''
      if (dropped.length < AT_ONCE) return
    }
  }

  /** Processes copies page by page, each locked in its own transaction: it may have changed since it was found. */
  private async each(
    find: (after: string) => Promise<KeptOriginal[]>,
    work: (kept: KeptOriginal) => Promise<unknown>,
  ): Promise<void> {
    for (let after = ''; ; ) {
      const found = await find(after)
      for (const { key } of found) {
        await this.use.database.transaction(async () => {
          const kept = await this.use.originals.lockKey(key)
          if (kept !== undefined) await work(kept)
        })
      }
      after = found.at(-1)?.key ?? ''
      if (found.length < AT_ONCE) return
    }
  }
}

const isOver = (end: number | undefined, now: number): boolean => end !== undefined && end <= now

/** Deletes expired originals, and leftovers of interrupted uploads and of procedures. */
export class SweepOriginals {
  static readonly task = { name: 'sweepOriginals', schedule: '*/20 * * * * *' }
  static readonly inject = { removal: RemoveOriginals, pieces: ArchivePieces }

  constructor(private readonly use: Injected<typeof SweepOriginals.inject>) {}

  async run(): Promise<void> {
    await this.use.removal.sweep()
    await this.use.pieces.sweep()
  }
}
