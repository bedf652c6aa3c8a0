import { Database } from '../database/database.js'
import { type Caller, ownerOf } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import type { Upload } from '../kernel/upload.js'
import {
  DataStates,
  type Digests,
  type DocumentToKeep,
  type Keeping,
  KeepOriginals,
  receive,
  TemporaryStorage,
} from '../originals/index.js'
import { DocumentLists } from './document-lists.js'
import { type DocumentRecord, DocumentStore } from './document-store.js'

/** A document whose original is on its way in. */
export type IncomingDocument = DocumentRecord & Pick<DocumentToKeep, 'beingRegistered'>

/** What is done with an original on its way in. */
export interface Taking<T> {
  /** OIDs of the digest algorithms that it is hashed with. */
  readonly algorithms: Iterable<string>
  /** When mails are out at the latest that it goes with, milliseconds; absent where it goes with none. */
  readonly spoolUntil?: number | undefined
  /** Refuses an original that is not the document's. */
  check(digests: Digests): void | Promise<void>
  /**
   * In the transaction that makes a stored copy count, or fixes the hashes; again when that transaction loses a race.
   * Where there is neither, it makes one of its own for what it changes.
   */
  commit(digests: Digests): Promise<T>
}

/** Takes in the original of a document in one pass: hashes it, and keeps it where there is a reason to. */
export class TakeOriginal {
  static readonly inject = {
    keeping: KeepOriginals,
    states: DataStates,
    lists: DocumentLists,
    documents: DocumentStore,
    temporary: TemporaryStorage,
    database: Database,
  }

  constructor(private readonly use: Injected<typeof TakeOriginal.inject>) {}

  /**
   * Takes it from a caller, whom a copy in temporary storage counts for, and answers what `commit` does. Whatever fails leaves
   * no copy behind, and quota and shares as they were.
   */
  async take<T>(caller: Caller, document: IncomingDocument, upload: Upload, taking: Taking<T>): Promise<T> {
    const { algorithms, spoolUntil, check, commit } = taking
    // What has another size is refused in the end; until then it must not take anybody's quota.
    const mayBeIt = document.digestsFixedAt === undefined || document.signedDataSize === upload.size
    const brought = { document, size: upload.size, by: ownerOf(caller), spoolUntil }
    const keeping = mayBeIt ? await this.use.keeping.begin(brought) : undefined
    try {
      const digests = await receive(upload, { algorithms, keep: keeping?.keep })
      await check(digests)
      // What is neither kept nor taken further waits for nobody's turn to write.
      if (keeping === undefined && document.digestsFixedAt !== undefined) return await commit(digests)
      return await this.use.database.transaction(async () => {
        const done = await commit(digests)
        if (keeping !== undefined) await this.followSettings(caller, document, keeping)
        await this.moveInLists(document, keeping !== undefined)
        return done
      })
    } catch (error) {
      await keeping?.giveUp()
      throw error
    }
  }

  /** Applies the settings as they are at the end of the upload: they may have changed while it was coming in. */
  private async followSettings(caller: Caller, document: IncomingDocument, keeping: Keeping) {
    if (document.beingRegistered !== undefined) return keeping.commit()
    const now = await this.use.documents.lock(document.id)
    await keeping.commit()
    const isChanged = now.settings.tempStorageAfterRegistration !== document.settings.tempStorageAfterRegistration
    const isNew = keeping.keep !== undefined
    if (isChanged) await this.use.temporary.follow(now, ownerOf(caller), isNew)
  }

  private async moveInLists(document: DocumentRecord, wasKept: boolean): Promise<void> {
    const before = document.digestsFixedAt === undefined ? 'incomplete' : 'hashed'
    const isArchived = wasKept && (await this.use.states.archived([document.id])).has(document.id)
    const after = isArchived ? 'archived' : 'hashed'
    if (before !== after) await this.use.lists.move(document, before, after)
  }
}
