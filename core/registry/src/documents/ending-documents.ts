import { Database } from '../database/database.js'
import { integer, places, type Stored, table, text } from '../database/table.js'
import { Timeline } from '../database/timeline.js'
import type { Injected } from '../kernel/service.js'
import { DigestEnds } from './digest-ends.js'
import { DocumentLists, endingPart } from './document-lists.js'
import type { DocumentRecord, ListedDocument } from './document-store.js'

const endingTable = table('registry_ending_documents', {
  documentId: text('document_id'),
  algorithm: text('algorithm'),
  signatures: integer('signatures'),
})

/** A document whose digests all end soon: the one that ends last, and how many signatures it had when it was listed. */
export type EndingDocument = Stored<typeof endingTable>

/** Keeps which documents have only digests that end soon, and the lists of them. */
export class EndingDocuments {
  static readonly inject = { database: Database, timeline: Timeline, lists: DocumentLists, ends: DigestEnds }

  constructor(private readonly use: Injected<typeof EndingDocuments.inject>) {}

  /** Those of these documents that are listed, by identifier. */
  async listed(ids: readonly string[]): Promise<ReadonlyMap<string, EndingDocument>> {
    if (ids.length === 0) return new Map()
    const sql = `select ${endingTable.columns.join(', ')} from registry_ending_documents where document_id in (${places(ids)})`
    const rows = await this.use.database.rows(sql, ids)
    return new Map(rows.map((row) => endingTable.read(row)).map((one) => [one.documentId, one]))
  }

  /** Lists a locked document where it is not yet; answers the lists that it belongs to. */
  async add(document: ListedDocument, algorithm: string): Promise<readonly string[]> {
    const { id, storedAt: at, signaturesTotal: signatures } = document
    const lists = await this.use.lists.listsWith(document)
    await this.use.timeline.add(lists.map(endingPart), { at, item: id })
    await this.forget(id)
    await this.use.database.insert(endingTable.name, [endingTable.row({ documentId: id, algorithm, signatures })])
    return lists
  }

  /** Takes a locked document off the lists. */
  async remove(document: ListedDocument): Promise<void> {
    if ((await this.forget(document.id)) === 0) return
    const lists = await this.use.lists.listsWith(document)
    await this.use.timeline.remove(lists.map(endingPart), { at: document.storedAt, item: document.id })
  }

  /** Takes a locked document off the lists where one of its digests does not end soon, in the transaction that adds one. */
  async strengthened(document: DocumentRecord, oids: Iterable<string>): Promise<void> {
    const { ends } = this.use
    if (ends.areNear && !ends.isNear(ends.longest(oids)?.until ?? 0)) await this.remove(document)
  }

  private async forget(documentId: string): Promise<number> {
    return this.use.database.query(endingTable.name).where(endingTable.row({ documentId })).delete()
  }
}
