import type { Injected } from '../kernel/service.js'
import { KeptLedger, type ShareDifference } from '../ledger/index.js'
import { ArchiveAccounts } from '../settings/index.js'
import { type KeptOriginal, OriginalStore } from './original-store.js'
import { ArchivePieces } from './pieces.js'
import { ArchiveStore } from './ports.js'
import { ReadOriginals } from './read-originals.js'

/** A finding of an archive check, or its progress. */
export type ArchiveFinding =
  | { readonly kind: 'progress'; readonly objects: number; readonly bytes: number }
  /** The store has no object for a stored copy. */
  | { readonly kind: 'missing'; readonly key: string; readonly documentId: string }
  /** The object differs from what was stored; `reason` says how. */
  | { readonly kind: 'damaged'; readonly key: string; readonly documentId: string; readonly reason: string }
  /** The store has an object unknown to the database. */
  | { readonly kind: 'unknown'; readonly key: string; readonly size: number }
  /** The charged bytes of a quota differ from the size of its originals. */
  | { readonly kind: 'usage'; readonly owner: string; readonly charged: number; readonly stored: number }
  /** The counted bytes of a share of temporary storage differ from what is stored. */
  | ({ readonly kind: 'share' } & ShareDifference)

const AT_ONCE = 100

/** Compares the database and the archive store both ways, for the service's administrator. */
export class CheckArchive {
  static readonly inject = {
    originals: OriginalStore,
    pieces: ArchivePieces,
    reader: ReadOriginals,
    accounts: ArchiveAccounts,
    ledger: KeptLedger,
    store: ArchiveStore,
  }

  constructor(private readonly use: Injected<typeof CheckArchive.inject>) {}

  /** Reads and checks every copy, lists the store, then sums up quotas and shares. Changes nothing. */
  async *findings(): AsyncGenerator<ArchiveFinding> {
    yield* this.copies()
    yield* this.unknownObjects()
    yield* this.usages()
    yield* this.shares()
  }

  /** Deletes an object unknown to the database. */
  async deleteUnknown(key: string): Promise<void> {
    if ((await this.known([key])).size === 0) await this.use.store?.delete(key)
  }

  private async *copies(): AsyncGenerator<ArchiveFinding> {
    let [objects, bytes] = [0, 0]
    for (let after = ''; ; ) {
      const page = await this.use.originals.page(after, AT_ONCE)
      for (const kept of page.filter(({ state }) => state === 'stored')) {
        const finding = await this.copy(kept)
        if (finding !== undefined) yield finding
        objects += 1
        bytes += kept.size
      }
      yield { kind: 'progress', objects, bytes }
      after = page.at(-1)?.key ?? ''
      if (page.length < AT_ONCE) return
    }
  }

  private async copy(kept: KeptOriginal): Promise<ArchiveFinding | undefined> {
    const { key, documentId = '' } = kept
    if ((await this.use.store?.get(key, { start: 0, end: 0 })) === undefined)
      return { kind: 'missing', key, documentId }
    try {
      for await (const _ of this.use.reader.opened(kept).bytes());
      return undefined
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      return { kind: 'damaged', key, documentId, reason: cause instanceof Error ? cause.message : String(cause) }
    }
  }

  private async *unknownObjects(): AsyncGenerator<ArchiveFinding> {
    // The store is listed before the database is read: a row is written before its object.
    let batch: { key: string; size: number }[] = []
    for await (const object of this.use.store?.list() ?? []) {
      batch.push(object)
      if (batch.length === AT_ONCE) {
        yield* await this.unknownOf(batch)
        batch = []
      }
    }
    yield* await this.unknownOf(batch)
  }

  private async unknownOf(objects: readonly { key: string; size: number }[]): Promise<ArchiveFinding[]> {
    const known = await this.known(objects.map(({ key }) => key))
    return objects
      .filter(({ key }) => !known.has(key))
      .map(({ key, size }) => ({ kind: 'unknown', key, size }) as const)
  }

  private async *shares(): AsyncGenerator<ArchiveFinding> {
    const kept = await this.use.originals.counted()
    for (const one of await this.use.ledger.differences('temporaryStorage', kept)) yield { kind: 'share', ...one }
  }

  private async known(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set([...(await this.use.originals.known(keys)), ...(await this.use.pieces.known(keys))])
  }

  private async *usages(): AsyncGenerator<ArchiveFinding> {
    const stored = await this.use.originals.charged()
    for (let after = ''; ; ) {
      const page = await this.use.accounts.usages(after, AT_ONCE)
      for (const [owner, charged] of page) {
        const bytes = stored.get(owner) ?? 0
        if (bytes !== charged) yield { kind: 'usage', owner, charged, stored: bytes }
        after = owner
      }
      if (page.size < AT_ONCE) return
    }
  }
}
