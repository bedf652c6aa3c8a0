import { Database } from '../database/database.js'
import { everyRow } from '../database/every-row.js'
import { bytes, flag, integer, json, optional, places, type Row, table, text } from '../database/table.js'
import type { Caller } from '../identity/index.js'
import { ID_PATTERN } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import type { StoredFact } from '../log/index.js'
import type { Digests } from '../originals/index.js'
import { DigestOpenings, isOpenToAll } from './digest-openings.js'
import { documentErrors } from './errors.js'
import type { DocumentSettings, EmailNotifications, RegistratorObject } from './schema.js'

/** The information system that registered an object. */
export interface Registrator {
  readonly bin: string
  /** Its mutual-TLS certificate (DER). */
  readonly certificate: Uint8Array
}

/** The registrator of what a caller registers: an information system, or none. */
export const registratorOf = (caller: Caller): Registrator | undefined =>
  caller.kind === 'system' ? { bin: caller.bin, certificate: Buffer.from(caller.certificate, 'base64') } : undefined

/** The information system that registered an object, as answers show it. */
export const registratorObject = ({ bin, certificate }: Registrator): RegistratorObject => ({
  businessId: bin,
  certificate: Buffer.from(certificate).toString('base64'),
})

/** The fields of a document in lists. */
export interface ListedDocument {
  readonly id: string
  readonly storedAt: number
  readonly title: string
  readonly description: string
  /** Bytes of the original; 0 until its hashes are fixed. */
  readonly signedDataSize: number
  /** When the hashes were fixed; `undefined` before. */
  readonly digestsFixedAt: number | undefined
  readonly signaturesTotal: number
  readonly registrator: Registrator | undefined
}

/** A document as it is stored. */
export interface DocumentRecord extends ListedDocument {
  readonly settings: DocumentSettings
  readonly emailNotifications: EmailNotifications | undefined
  /** True when it was registered without a signature. */
  readonly preregistered: boolean
  /** The package that it is in. */
  readonly packageId: string | undefined
}

const documents = table('registry_documents', {
  id: text('id'),
  storedAt: integer('stored_at'),
  title: text('title'),
  description: text('description'),
  signedDataSize: integer('signed_data_size'),
  digestsFixedAt: optional(integer('digests_fixed_at')),
  settings: json<DocumentSettings | null>('settings'),
  emailNotifications: optional(json<EmailNotifications>('email_notifications')),
  signaturesTotal: integer('signatures_total'),
  preregistered: flag('preregistered'),
  packageId: optional(text('package_id')),
  registratorBin: optional(text('registrator_bin')),
  registratorCertificate: optional(bytes('registrator_certificate')),
})

/** Every column; a document without settings of its own has those that its package stores for all. */
const ALL_COLUMNS = `${documents.columns.filter((column) => column !== 'settings').join(', ')},
  case when settings <> 'null' then settings else
    (select documents_settings from registry_packages where registry_packages.id = registry_documents.package_id)
  end as settings`
const READ = `select ${ALL_COLUMNS} from registry_documents where id = ?`
const READ_ALL = `select ${ALL_COLUMNS} from registry_documents where id in`
/** Without settings, which may be large. */
const LIST_COLUMNS = documents.only(
  'id',
  'storedAt',
  'title',
  'description',
  'signedDataSize',
  'digestsFixedAt',
  'signaturesTotal',
  'registratorBin',
  'registratorCertificate',
)

const digests = table('registry_document_digests', {
  documentId: text('document_id'),
  algorithm: text('algorithm'),
  value: bytes('value'),
  /** Whether everybody may view the document now. */
  isOpen: flag('is_open'),
  /** When the document was registered. */
  storedAt: integer('stored_at'),
  /** When it was computed for a later signature; `undefined` of those that were fixed. */
  laterAt: optional(integer('later_at')),
})

const ROWS_AT_ONCE = 100

/** Names, in the log, a hash that was added to those of a document. */
export const laterRef = (documentId: string, oid: string): string => `${documentId} ${oid}`

/** Throws `invalidDocumentIdentifier` for a malformed identifier. */
export function assertDocumentId(id: string): void {
  if (!ID_PATTERN.test(id)) throw documentErrors.error('invalidDocumentIdentifier')
}

/** Stores documents and their fixed hashes. */
export class DocumentStore {
  static readonly inject = { database: Database, openings: DigestOpenings }

  constructor(private readonly use: Injected<typeof DocumentStore.inject>) {}

  /** Documents of a package have no settings of their own until those change. */
  async add(added: readonly DocumentRecord[]): Promise<void> {
    const rows = added.map(({ registrator, settings, ...fields }) =>
      documents.row({
        ...fields,
        settings: fields.packageId === undefined ? settings : null,
        registratorBin: registrator?.bin,
        registratorCertificate: registrator?.certificate,
      }),
    )
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      await this.use.database.insertLater(documents.name, rows.slice(from, from + ROWS_AT_ONCE))
    }
  }

  /** Rejects with `invalidDocumentIdentifier` or `documentNotFound`. */
  async get(id: string): Promise<DocumentRecord> {
    assertDocumentId(id)
    return found(await this.use.database.rows(READ, [id]))
  }

  /** Like `get`, and locks the document until the end of the transaction. */
  async lock(id: string): Promise<DocumentRecord> {
    assertDocumentId(id)
    return found(await this.documents().where({ id }).forUpdate().select(this.whole()))
  }

  /**
   * Like `lock`, on every node of a Galera cluster: nodes do not see each other's locks, but of two transactions that write
   * to a row one is retried. For callers that do not write to the row otherwise.
   */
  async lockEverywhere(id: string): Promise<DocumentRecord> {
    assertDocumentId(id)
    await this.documents().where({ id }).increment('turns')
    return this.lock(id)
  }

  /** The list fields of the documents with these identifiers, in their order. */
  async list(ids: readonly string[]): Promise<ListedDocument[]> {
    return inOrder(
      ids,
      await this.use.database.read((query) => query(documents.name).whereIn('id', ids).select(LIST_COLUMNS)),
    )
  }

  /** The documents with these identifiers, in their order. */
  async getAll(ids: readonly string[]): Promise<DocumentRecord[]> {
    return inOrder(ids, await this.use.database.rows(`${READ_ALL} (${places(ids)})`, ids))
  }

  /** Like `getAll`, and locks them, always in one order to avoid deadlocks. */
  async lockAll(ids: readonly string[]): Promise<DocumentRecord[]> {
    const locked = this.documents().whereIn('id', ids).orderBy('id').forUpdate()
    return inOrder(ids, await locked.select(this.whole()))
  }

  /** Deletes locked documents with their hashes; they must have no signatures, and be in no lists. */
  async forget(ids: readonly string[]): Promise<void> {
    await this.use.openings.forget(ids)
    await this.use.database.query(digests.name).whereIn('document_id', ids).delete()
    await this.documents().whereIn('id', ids).delete()
  }

  async digests(id: string): Promise<Digests> {
    return (await this.digestsOfAll([id])).get(id) ?? new Map()
  }

  /** The fixed hashes of several documents, by document identifier. */
  async digestsOfAll(ids: readonly string[]): Promise<ReadonlyMap<string, Digests>> {
    const rows = await this.use.database.rows(
      `select document_id, algorithm, value from registry_document_digests
        where document_id in (${places(ids)}) order by algorithm`,
      ids,
    )
    const all = new Map(ids.map((id) => [id, new Map<string, Uint8Array>()]))
    for (const row of rows) {
      const { documentId, algorithm, value } = digests.read(row)
      all.get(documentId)?.set(algorithm, value)
    }
    return all
  }

  /** The algorithms of hashes that were added after the others of a document were fixed. */
  async laterDigests(documentId: string): Promise<string[]> {
    return this.use.database
      .query(digests.name)
      .where(digests.row({ documentId }))
      .whereNotNull('later_at')
      .pluck('algorithm')
  }

  /** Stores hashes of a locked document; with the time where others were fixed before. */
  async addDigests(document: DocumentRecord, added: Digests, laterAt?: number): Promise<void> {
    if (added.size === 0) return
    const { id: documentId, storedAt } = document
    const isOpen = isOpenToAll(document)
    const rows = [...added].map(([algorithm, value]) =>
      digests.row({ documentId, algorithm, value, isOpen, storedAt, laterAt }),
    )
    await this.use.database.query(digests.name).insert(rows)
    await this.use.openings.addDigests(document, added)
  }

  /** Marks the hashes as fixed; the document must be locked. */
  async markDigestsFixed(id: string, signedDataSize: number, digestsFixedAt: number): Promise<void> {
    await this.documents().where({ id }).update(documents.row({ signedDataSize, digestsFixedAt }))
  }

  /** All documents whose hashes are fixed, as facts that have to be logged. */
  async *fixed(): AsyncGenerator<readonly StoredFact[]> {
    const select = (behind: string) =>
      `select id, digests_fixed_at from registry_documents where ${behind} and digests_fixed_at is not null`
    for await (const rows of everyRow(this.use.database, ['id'], select))
      yield rows
        .map((row) => documents.read(row))
        .map(({ id, digestsFixedAt = 0 }) => ({ ref: id, at: digestsFixedAt }))
  }

  /** All hashes that were added later, as facts that have to be logged. */
  async *addedLater(): AsyncGenerator<readonly StoredFact[]> {
    const select = (behind: string) =>
      `select document_id, algorithm, later_at from registry_document_digests where ${behind} and later_at is not null`
    for await (const rows of everyRow(this.use.database, ['document_id', 'algorithm'], select))
      yield rows
        .map((row) => digests.read(row))
        .map(({ documentId, algorithm, laterAt = 0 }) => ({ ref: laterRef(documentId, algorithm), at: laterAt }))
  }

  /** Increments the number of signatures of each; the documents must be locked. */
  async countSignatures(locked: readonly DocumentRecord[]): Promise<void> {
    const ids = locked.map(({ id }) => id)
    await this.documents().whereIn('id', ids).increment('signatures_total', 1)
    for (const document of locked) {
      const after = isOpenToAll({ ...document, signaturesTotal: document.signaturesTotal + 1 })
      if (after !== isOpenToAll(document)) await this.open(document.id, after)
    }
  }

  /** Replaces the settings; the document must be locked and current. */
  async changeSettings(document: DocumentRecord, settings: DocumentSettings): Promise<void> {
    const { id } = document
    await this.documents().where({ id }).update(documents.row({ settings }))
    await this.use.openings.changeRules(document, settings.documentAccess)
    const after = isOpenToAll({ ...document, settings })
    if (after !== isOpenToAll(document)) await this.open(id, after)
  }

  private async open(documentId: string, isOpen: boolean): Promise<void> {
    await this.use.database.query(digests.name).where({ document_id: documentId }).update(digests.row({ isOpen }))
  }

  private whole() {
    return this.use.database.query.raw(ALL_COLUMNS)
  }

  private documents() {
    return this.use.database.query(documents.name)
  }
}

function found([row]: readonly Row[]): DocumentRecord {
  if (row === undefined) throw documentErrors.error('documentNotFound')
  return readDocument(row)
}

function readDocument(row: Row): DocumentRecord {
  const { registratorBin: bin, registratorCertificate: certificate, settings, ...fields } = documents.read(row)
  return {
    ...fields,
    settings: settings ?? {},
    registrator: bin === undefined || certificate === undefined ? undefined : { bin, certificate },
  }
}

function inOrder(ids: readonly string[], rows: readonly Row[]): DocumentRecord[] {
  const read = new Map(rows.map(readDocument).map((document) => [document.id, document]))
  return ids.flatMap((id) => read.get(id) ?? [])
}
