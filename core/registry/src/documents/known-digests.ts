import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import { LogEntries } from '../log/index.js'
import { type Digests, type ReadableOriginal, ReadOriginals, receive } from '../originals/index.js'
import { digestAlgorithm } from '../signatures/index.js'
import { furtherDigestsFacts } from './document-facts.js'
import { DocumentStore } from './document-store.js'
import { EndingDocuments } from './ending-documents.js'

/** The hashes of documents: the fixed ones, and those that later signatures need. */
export class KnownDigests {
  static readonly inject = {
    documents: DocumentStore,
    originals: ReadOriginals,
    log: LogEntries,
    ending: EndingDocuments,
    database: Database,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof KnownDigests.inject>) {}

  /**
   * The hashes of a document. Those of wanted algorithms that are missing are computed from the stored original, if there is
   * one, and stored.
   */
  async of(documentId: string, wanted: Iterable<string>): Promise<Digests> {
    return this.complete(documentId, await this.use.documents.digests(documentId), wanted)
  }

  /** Like `of`, for a document whose hashes were read already. */
  async complete(documentId: string, known: Digests, wanted: Iterable<string>): Promise<Digests> {
    const algorithms = [...wanted].filter((oid) => !known.has(oid) && digestAlgorithm(oid).trusted)
    const original = algorithms.length > 0 ? await this.stored(documentId) : undefined
    if (original === undefined) return known
    const computed = await receive({ size: original.size, stream: original.bytes() }, { algorithms })
    await this.addMissing(documentId, computed)
    return new Map([...known, ...computed])
  }

  /** Stores further hashes, computed from an original that is known to be the document's. */
  async addMissing(documentId: string, digests: Digests): Promise<void> {
    await this.use.database.transaction(async () => {
      const document = await this.use.documents.lockEverywhere(documentId)
      const known = await this.use.documents.digests(documentId)
      const added = new Map([...digests].filter(([oid]) => !known.has(oid)))
      await this.use.documents.addDigests(document, added, this.use.clock.now())
      await this.use.log.append(furtherDigestsFacts(document, added))
      await this.use.ending.strengthened(document, [...known.keys(), ...added.keys()])
    })
  }

  private async stored(documentId: string): Promise<ReadableOriginal | undefined> {
    try {
      return await this.use.originals.open(documentId)
    } catch (error) {
      if (error instanceof RegistryError && error.code === 'archiveNotFound') return undefined
      throw error
    }
  }
}
