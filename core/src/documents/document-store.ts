import { Database } from '../database/database.js'
import { ID_PATTERN } from '../kernel/ids.js'
import {
  DOCUMENT_COLUMNS,
  type DocumentRow,
  documentToRow,
  readDocumentRow,
  type StoredDocument,
} from './document-row.js'
import { documentErrors } from './errors.js'
import type { DocumentSettings } from './schema.js'

export type { StoredDocument } from './document-row.js'

/** Hashes by the OID of their algorithm. */
export type Digests = ReadonlyMap<string, Uint8Array>

/** Refuses what cannot be the identifier of a document. */
export function assertDocumentId(id: string): void {
  if (!ID_PATTERN.test(id)) throw documentErrors.error('invalidDocumentIdentifier')
}

/** Keeps documents and their fixed hashes. */
export class DocumentStore {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  /** Adds a document with the words by which it is found. */
  async add(document: StoredDocument, searchWords: readonly string[]): Promise<void> {
    const row = { ...documentToRow(document), search_words: JSON.stringify(searchWords) }
    await this.database.query('registry_documents').insert(row)
  }

  /** Rejects with `invalidDocumentIdentifier` or `documentNotFound`. */
  async get(id: string): Promise<StoredDocument> {
    return this.#read(id, false)
  }

  /** As `get`, and keeps every other transaction from changing the document until this one ends. */
  async lock(id: string): Promise<StoredDocument> {
    return this.#read(id, true)
  }

  /** The documents with these identifiers, in their order. */
  async list(ids: readonly string[]): Promise<StoredDocument[]> {
    return inOrder(ids, await this.#rows(ids))
  }

  /** As `list`, and locks them. All lock in one order, so that two transactions do not wait for each other. */
  async lockAll(ids: readonly string[]): Promise<StoredDocument[]> {
    return inOrder(ids, await this.#rows(ids).orderBy('id').forUpdate())
  }

  #rows(ids: readonly string[]) {
    return this.database
      .query('registry_documents')
      .whereIn('id', ids)
      .select(...DOCUMENT_COLUMNS)
  }

  async #read(id: string, lock: boolean): Promise<StoredDocument> {
    assertDocumentId(id)
    const query = this.database
      .query('registry_documents')
      .where({ id })
      .first(...DOCUMENT_COLUMNS)
    const row: DocumentRow | undefined = await (lock ? query.forUpdate() : query)
    if (row === undefined) throw documentErrors.error('documentNotFound')
    return readDocumentRow(row)
  }

  async digests(id: string): Promise<Digests> {
    const rows: { algorithm: string; value: Uint8Array }[] = await this.database
      .query('registry_document_digests')
      .where({ document_id: id })
      .orderBy('algorithm')
      .select('algorithm', 'value')
    return new Map(rows.map((row) => [row.algorithm, row.value]))
  }

  /** The fixed hashes of several documents, by their identifiers. */
  async digestsOfAll(ids: readonly string[]): Promise<ReadonlyMap<string, Digests>> {
    const rows: { document_id: string; algorithm: string; value: Uint8Array }[] = await this.database
      .query('registry_document_digests')
      .whereIn('document_id', ids)
      .select('document_id', 'algorithm', 'value')
    const all = new Map(ids.map((id) => [id, new Map<string, Uint8Array>()]))
    for (const { document_id, algorithm, value } of rows) all.get(document_id)?.set(algorithm, value)
    return all
  }

  async addDigests(id: string, digests: Digests): Promise<void> {
    if (digests.size === 0) return
    await this.database
      .query('registry_document_digests')
      .insert([...digests].map(([algorithm, value]) => ({ document_id: id, algorithm, value })))
  }

  /** Marks the hashes as fixed; the document must be locked. */
  async markDigestsFixed(id: string, signedDataSize: number, at: number): Promise<void> {
    await this.database
      .query('registry_documents')
      .where({ id })
      .update({ signed_data_size: signedDataSize, digests_fixed_at: at })
  }

  /** Counts one more signature of each; the documents must be locked. */
  async countSignatures(ids: readonly string[]): Promise<void> {
    await this.database.query('registry_documents').whereIn('id', ids).increment('signatures_total', 1)
  }

  /** Replaces the settings; the document must be locked. */
  async changeSettings(id: string, settings: DocumentSettings): Promise<void> {
    await this.database
      .query('registry_documents')
      .where({ id })
      .update({ settings: JSON.stringify(settings) })
  }
}

function inOrder(ids: readonly string[], rows: readonly DocumentRow[]): StoredDocument[] {
  const documents = new Map(rows.map((row) => [row.id, readDocumentRow(row)]))
  return ids.flatMap((id) => documents.get(id) ?? [])
}
