import { Database } from '../database/database.js'
import { ID_PATTERN } from '../kernel/ids.js'
import { documentErrors } from './errors.js'
import type { DocumentSettings, EmailNotifications, RegistratorObject } from './schema.js'

/** A document as it is kept. */
export interface StoredDocument {
  readonly id: string
  readonly storedAt: number
  readonly title: string
  readonly description: string
  /** Bytes of the original; 0 until its hashes are fixed. */
  readonly signedDataSize: number
  /** When the hashes were fixed; `undefined` before. */
  readonly digestsFixedAt: number | undefined
  readonly settings: DocumentSettings
  readonly emailNotifications: EmailNotifications | undefined
  readonly signaturesTotal: number
  /** True when an information system registered it without a signature. */
  readonly preregistered: boolean
  readonly registrator: Registrator | undefined
}

/** The information system that registered an object. */
export interface Registrator {
  readonly bin: string
  /** Its mutual-TLS certificate (DER). */
  readonly certificate: Uint8Array
}

/** Hashes by the OID of their algorithm. */
export type Digests = ReadonlyMap<string, Uint8Array>

const COLUMNS = [
  'id',
  'stored_at',
  'title',
  'description',
  'signed_data_size',
  'digests_fixed_at',
  'settings',
  'email_notifications',
  'signatures_total',
  'preregistered',
  'registrator_bin',
  'registrator_certificate',
] as const

interface Row {
  id: string
  stored_at: number
  title: string
  description: string
  signed_data_size: number
  digests_fixed_at: number | null
  settings: string
  email_notifications: string | null
  signatures_total: number
  preregistered: number | boolean
  registrator_bin: string | null
  registrator_certificate: Uint8Array | null
}

/** Keeps documents and their fixed hashes. */
export class DocumentStore {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  /** Adds a document with the words by which it is found. */
  async add(document: StoredDocument, searchWords: readonly string[]): Promise<void> {
    await this.database.query('registry_documents').insert({
      id: document.id,
      stored_at: document.storedAt,
      title: document.title,
      description: document.description,
      signed_data_size: document.signedDataSize,
      digests_fixed_at: document.digestsFixedAt ?? null,
      settings: JSON.stringify(document.settings),
      email_notifications: document.emailNotifications ? JSON.stringify(document.emailNotifications) : null,
      signatures_total: document.signaturesTotal,
      search_words: JSON.stringify(searchWords),
      preregistered: document.preregistered,
      registrator_bin: document.registrator?.bin ?? null,
      registrator_certificate: document.registrator?.certificate ?? null,
    })
  }

  /** Rejects with `invalidDocumentIdentifier` or `documentNotFound`. */
  async get(id: string): Promise<StoredDocument> {
    return this.#read(id, false)
  }

  /** The documents with these identifiers, in their order. */
  async list(ids: readonly string[]): Promise<StoredDocument[]> {
    const rows: Row[] = await this.database.query('registry_documents').whereIn('id', ids).select(COLUMNS)
    const documents = new Map(rows.map((row) => [row.id, read(row)]))
    return ids.flatMap((id) => documents.get(id) ?? [])
  }

  /** As `get`, and keeps every other transaction from changing the document until this one ends. */
  async lock(id: string): Promise<StoredDocument> {
    return this.#read(id, true)
  }

  async #read(id: string, lock: boolean): Promise<StoredDocument> {
    if (!ID_PATTERN.test(id)) throw documentErrors.error('invalidDocumentIdentifier')
    const query = this.database
      .query<Row>('registry_documents')
      .where({ id })
      .first(...COLUMNS)
    const row: Row | undefined = await (lock ? query.forUpdate() : query)
    if (row === undefined) throw documentErrors.error('documentNotFound')
    return read(row)
  }

  async digests(id: string): Promise<Digests> {
    const rows: { algorithm: string; value: Uint8Array }[] = await this.database
      .query('registry_document_digests')
      .where({ document_id: id })
      .orderBy('algorithm')
      .select('algorithm', 'value')
    return new Map(rows.map((row) => [row.algorithm, row.value]))
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

  /** Counts one more signature; the document must be locked. */
  async countSignature(id: string): Promise<void> {
    await this.database.query('registry_documents').where({ id }).increment('signatures_total', 1)
  }

  /** Replaces the settings; the document must be locked. */
  async changeSettings(id: string, settings: DocumentSettings): Promise<void> {
    await this.database
      .query('registry_documents')
      .where({ id })
      .update({ settings: JSON.stringify(settings) })
  }
}

const read = (row: Row): StoredDocument => ({
  id: row.id,
  storedAt: Number(row.stored_at),
  title: row.title,
  description: row.description,
  signedDataSize: Number(row.signed_data_size),
  digestsFixedAt: row.digests_fixed_at === null ? undefined : Number(row.digests_fixed_at),
  settings: JSON.parse(row.settings),
  emailNotifications: row.email_notifications === null ? undefined : JSON.parse(row.email_notifications),
  signaturesTotal: row.signatures_total,
  preregistered: Boolean(row.preregistered),
  registrator: registratorOf(row),
})

/** The information system that registered an object, as answers show it. */
export const registratorObject = ({ bin, certificate }: Registrator): RegistratorObject => ({
  businessId: bin,
  certificate: Buffer.from(certificate).toString('base64'),
})

const registratorOf = ({ registrator_bin: bin, registrator_certificate: certificate }: Row): Registrator | undefined =>
  bin === null || certificate === null ? undefined : { bin, certificate }
