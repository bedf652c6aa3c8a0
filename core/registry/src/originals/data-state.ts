import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { ArchiveAccounts } from '../settings/index.js'
import { type KeptOriginal, type OriginalState, OriginalStore } from './original-store.js'
import { type DocumentToKeep, Payers, type Signer } from './payers.js'
import { ArchiveStore } from './ports.js'

/** What the registry keeps of the original of a document. */
export interface KeptState {
  /** It is in the archive. */
  readonly dataArchived: boolean
  /** It is in temporary storage. */
  readonly tempStorage: boolean
}

/** The same as answers show it. */
export interface DataState extends KeptState {
  /** It is not archived but would be if it were uploaded now (`POST /api/{id}/verify`). */
  readonly canBeArchived: boolean
}

/** What the registry keeps of the originals of several documents. */
export interface WholeState {
  readonly dataArchived: boolean
  /** They are in the archive or in temporary storage. */
  readonly dataStored: boolean
}

/** The document whose original is asked for. */
export interface DocumentOf extends DocumentToKeep {
  /** Bytes. */
  readonly signedDataSize: number
  /** Milliseconds; `undefined` while its hashes are not fixed. */
  readonly digestsFixedAt: number | undefined
}

/** What the database has about the original of a document. */
export interface AskedState {
  readonly kept: ReadonlyMap<string, OriginalState>
  readonly willing: readonly Signer[]
}
const NOTHING: AskedState = { kept: new Map(), willing: [] }

const HASHES_ONLY: DataState = { dataArchived: false, tempStorage: false, canBeArchived: false }

/** Answers what is stored of originals: nothing but hashes in a registry without an archive store. */
export class DataStates {
  static readonly inject = {
    originals: OriginalStore,
    payers: Payers,
    accounts: ArchiveAccounts,
    store: ArchiveStore,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof DataStates.inject>) {}

  async kept(documentId: string): Promise<KeptState> {
    if (this.use.store === undefined) return HASHES_ONLY
    const original = (await this.use.originals.states([documentId])).get(documentId)
    return { dataArchived: original?.archivedAt !== undefined, tempStorage: isInTime(original, this.use.clock.now()) }
  }

  /** Reads what `of` needs, so that a caller can do so while it reads the document. */
  async ask(documentId: string): Promise<AskedState> {
    if (this.use.store === undefined) return NOTHING
    const ids = [documentId]
    const [kept, willing] = await Promise.all([this.use.originals.states(ids), this.use.payers.willing(ids)])
    return { kept, willing }
  }

  /** `dataState` of one document; `asked` saves the read. */
  async of(document: DocumentOf, asked?: AskedState): Promise<DataState> {
    return (await this.ofAll([document], asked)).get(document.id) ?? HASHES_ONLY
  }

  /** By document identifier, with an entry for every document. */
  async ofAll(documents: readonly DocumentOf[], asked?: AskedState): Promise<ReadonlyMap<string, DataState>> {
    if (this.use.store === undefined) return new Map(documents.map(({ id }) => [id, HASHES_ONLY]))
    const kept = asked?.kept ?? (await this.use.originals.states(documents.map(({ id }) => id)))
    const isArchived = ({ id }: DocumentOf) => kept.get(id)?.archivedAt !== undefined
    const open = documents.filter((one) => one.digestsFixedAt !== undefined && !isArchived(one))
    const payers = await this.use.payers.ofAll(open, asked?.willing)
    const room = await this.roomOf(new Set([...payers.values()].flat()))
    const now = this.use.clock.now()
    return new Map(
      documents.map((document) => [
        document.id,
        {
          dataArchived: isArchived(document),
          tempStorage: isInTime(kept.get(document.id), now),
          canBeArchived: (payers.get(document.id) ?? []).some(
            (owner) => (room.get(owner) ?? 0) >= document.signedDataSize,
          ),
        },
      ]),
    )
  }

  /** False where an original that is yet to be uploaded will certainly not be stored. */
  async mayBeStored(document: DocumentToKeep, hasSigners: boolean): Promise<boolean> {
    const { forceArchive = false, tempStorageAfterRegistration = 0 } = document.settings
    if (this.use.store === undefined) return false
    // A later signer may have archiving on.
    if (forceArchive || tempStorageAfterRegistration > 0 || !hasSigners) return true
    return (await this.use.payers.of(document)).length > 0
  }

  /** What is stored of several documents: true where it is so for all of them and there is at least one. */
  async ofWhole(documentIds: readonly string[]): Promise<WholeState> {
    const [kept, now] = [await this.use.originals.states(documentIds), this.use.clock.now()]
    const all = documentIds.map((id) => kept.get(id))
    return {
      dataArchived: all.length > 0 && all.every((original) => original?.archivedAt !== undefined),
      dataStored: all.length > 0 && all.every((original) => isReadable(original, now)),
    }
  }

  /** Which of these documents are archived. */
  async archived(documentIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.use.originals.archived(documentIds)
  }

  /** Which of these documents have a copy in the archive store, including ones being written or deleted. */
  async stored(documentIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.use.originals.states(documentIds)).keys())
  }

  private async roomOf(owners: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const rooms = new Map<string, number>()
    for (const owner of owners) {
      const { dataArchiveQuota, dataArchiveUsage } = await this.use.accounts.get(owner)
      rooms.set(owner, dataArchiveQuota - dataArchiveUsage)
    }
    return rooms
  }
}

/** True while a stored copy is in temporary storage. */
const isInTime = (original: OriginalState | undefined, now: number): boolean =>
  original?.state === 'stored' && original.keptUntil !== undefined && original.keptUntil > now

/** True while a stored copy is spooled for mails. */
export const isSpooled = <O extends Pick<KeptOriginal, 'state' | 'spooledUntil'>>(
  original: O | undefined,
  now: number,
): original is O => original?.state === 'stored' && original.spooledUntil !== undefined && original.spooledUntil > now

/** True when a stored copy may be read: it is archived or in temporary storage. */
export const isReadable = <O extends OriginalState>(original: O | undefined, now: number): original is O =>
  original?.state === 'stored' && (original.archivedAt !== undefined || isInTime(original, now))
