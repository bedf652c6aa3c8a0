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
import type { ConfiguredDigests } from './ports.js'

/** Hashes of originals beside those of their signatures, unless others are configured: SHA-256. */
export const defaultDigests: ConfiguredDigests = () => ['2.16.840.1.101.3.4.2.1']

/** A document whose original is being uploaded. */
export type IncomingDocument = DocumentRecord & Pick<DocumentToKeep, 'beingRegistered'>

/** How to receive an original. */
export interface Receiving {
  /** OIDs of the digest algorithms to hash it with; as a promise they are asked for along with what keeps the original. */
  readonly algorithms: Iterable<string> | Promise<Iterable<string>>
  /** When the mails that it is attached to are sent at the latest, milliseconds; absent if there are none. */
  readonly spoolUntil?: number | undefined
  /** Throws for an original that is not the document's. */
  check(digests: Digests): void | Promise<void>
}

/** What to do with an original that is being uploaded. */
export interface Taking<T> extends Receiving {
  /**
   * Runs in the transaction that commits a stored copy or fixes the hashes, and again when that is retried. Without such a
   * transaction it begins its own for what it changes. `isKept`: whether a copy is stored.
   */
  commit(digests: Digests, isKept: boolean): Promise<T>
}

/** An original that was received: settle it in the transaction that stores its hashes, or give it up. */
export interface TakenOriginal {
  readonly digests: Digests
  /** Whether a copy of it is stored. */
  readonly isKept: boolean
  settle(): Promise<void>
  /** Leaves no copy behind, and quota and shares unchanged. Does nothing once it is settled. */
  giveUp(): Promise<void>
}

/** Receives the original of a document in one pass: hashes it, and stores it if needed. */
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

  /** Receives it, and returns the result of `commit`. A failure leaves nothing behind. */
  async take<T>(caller: Caller, document: IncomingDocument, upload: Upload, taking: Taking<T>): Promise<T> {
    const taken = await this.receive(caller, document, upload, taking)
    const { digests } = taken
    try {
      // With nothing to store, no write transaction is needed.
      if (!taken.isKept && document.digestsFixedAt !== undefined) return await taking.commit(digests, false)
      return await this.use.database.transaction(async () => {
        const done = await taking.commit(digests, taken.isKept)
        await taken.settle()
        return done
      })
    } catch (error) {
      await taken.giveUp()
      throw error
    }
  }

  /** Receives it from a caller, who is charged for a copy in temporary storage. A failure leaves nothing behind. */
  async receive(
    caller: Caller,
    document: IncomingDocument,
    upload: Upload,
    { algorithms, spoolUntil, check }: Receiving,
  ): Promise<TakenOriginal> {
    // An upload of another size is refused at its end, and must not use up quota until then.
    const mayBeIt = document.digestsFixedAt === undefined || document.signedDataSize === upload.size
    const brought = { document, size: upload.size, by: ownerOf(caller), spoolUntil }
    const keeping = mayBeIt ? await this.use.keeping.begin(brought) : undefined
    try {
      const digests = await receive(upload, { algorithms: await algorithms, keep: keeping?.keep })
      await check(digests)
      return {
        digests,
        isKept: keeping !== undefined,
        settle: async () => {
          if (keeping !== undefined) await this.followSettings(caller, document, keeping)
          await this.moveInLists(document, keeping !== undefined)
        },
        giveUp: async () => keeping?.giveUp(),
      }
    } catch (error) {
      await keeping?.giveUp()
      throw error
    }
  }

  /** Applies the settings at the end of the upload: they may have changed meanwhile. */
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
