import { Database } from '../database/database.js'
import { everyRow } from '../database/every-row.js'
import { table, text } from '../database/table.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { DataStates } from '../originals/index.js'
import { DigestEnds } from './digest-ends.js'
import { ownersOf } from './document-lists.js'
import { DocumentStore, type ListedDocument } from './document-store.js'
import { EndingDocuments } from './ending-documents.js'
import { EndingOwners } from './ending-owners.js'
import { KnownDigests } from './known-digests.js'

/** Documents that are locked and listed together. */
const AT_ONCE = 25

const fixed = table('registry_document_digests', { documentId: text('document_id'), algorithm: text('algorithm') })

/** The digests of some documents, by identifier. */
type Digests = ReadonlyMap<string, readonly string[]>

/**
 * Lists documents whose digests all end within a year, and takes off those where that is no longer so. Every night while the
 * policy names such an end; a run that is broken off is repeated by the next one, which passes over what is listed.
 */
export class ListEndingDigests {
  static readonly task = { name: 'listEndingDigests', schedule: '37 2 * * *' }
  static readonly inject = {
    ends: DigestEnds,
    documents: DocumentStore,
    ending: EndingDocuments,
    known: KnownDigests,
    states: DataStates,
    logger: Logger,
    owners: EndingOwners,
    database: Database,
  }

  constructor(private readonly use: Injected<typeof ListEndingDigests.inject>) {}

  async run(): Promise<void> {
    if (!this.use.ends.areNear) return
    for await (const digests of this.everyDocument()) await this.lookAt(digests)
    await this.use.owners.allListed()
  }

  /** All documents with digests, some hundred at a time. */
  private async *everyDocument(): AsyncGenerator<Digests> {
    const select = (behind: string) => `select document_id, algorithm from registry_document_digests where ${behind}`
    let found = new Map<string, string[]>()
    for await (const rows of everyRow(this.use.database, ['document_id', 'algorithm'], select)) {
      for (const { documentId, algorithm } of rows.map((row) => fixed.read(row)))
        found.set(documentId, [...(found.get(documentId) ?? []), algorithm])
      // Further digests of the last one may be in the next rows.
      const [last] = [...found].slice(-1)
      if (last === undefined) continue
      found.delete(last[0])
      yield found
      found = new Map([last])
    }
    yield found
  }

  private async lookAt(digests: Digests): Promise<void> {
    const ids = [...digests.keys()]
    const listed = await this.use.ending.listed(ids)
    const ending = new Map(ids.flatMap((id) => this.endOf(digests.get(id)).map((oid) => [id, oid] as const)))
    const documents = await this.use.documents.list([...ending.keys()])
    const signed = new Map(documents.map((one) => [one.id, one.signaturesTotal]))
    const changed = ids.filter((id) => {
      const known = listed.get(id)
      return ending.get(id) !== known?.algorithm || (known !== undefined && known.signatures !== signed.get(id))
    })
    await this.hashArchived(documents.filter(({ id }) => !listed.has(id)))
    for (let from = 0; from < changed.length; from += AT_ONCE)
      await this.use.database.transaction(() => this.change(changed.slice(from, from + AT_ONCE)))
  }

  /** Adds a further digest where the archive has the original: nobody has to bring it. */
  private async hashArchived(documents: readonly ListedDocument[]): Promise<void> {
    const archived = documents.length === 0 ? undefined : await this.use.states.archived(documents.map(({ id }) => id))
    for (const { id, signedDataSize } of documents) {
      const further = this.use.ends.further(signedDataSize)
      if (archived?.has(id) !== true || further === undefined) continue
      await this.use.known.of(id, [further]).catch((error: unknown) => {
        this.use.logger.warn('An archived original was not hashed anew; its document is listed', { id, error })
      })
    }
  }

  /** Decides again, of documents that are locked: a digest may have been added meanwhile. */
  private async change(ids: readonly string[]): Promise<void> {
    const { documents, ending, owners } = this.use
    const locked = await documents.lockAll(ids)
    const digests = await documents.digestsOfAll(ids)
    for (const document of locked) {
      const [algorithm] = this.endOf(digests.get(document.id)?.keys())
      if (algorithm === undefined) await ending.remove(document)
      else {
        const lists = await ending.add(document, algorithm)
        await owners.add(ownersOf(lists).map((owner) => ({ owner, algorithm })))
      }
    }
  }

  /** The digest with which a document ends soon, if it does. */
  private endOf(oids: Iterable<string> = []): string[] {
    const last = this.use.ends.longest(oids)
    return last !== undefined && this.use.ends.isNear(last.until) ? [last.oid] : []
  }
}
