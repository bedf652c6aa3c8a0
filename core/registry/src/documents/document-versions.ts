import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { integer, table, text } from '../database/table.js'
import type { Caller } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import type { SignatureFacts } from '../signatures/index.js'
import { DocumentAccess } from './document-access.js'
import { type DocumentRecord, DocumentStore } from './document-store.js'
import { documentErrors } from './errors.js'
import { SignatureStore } from './signature-store.js'

const versions = table('registry_document_versions', {
  documentId: text('document_id'),
  replaces: text('replaces'),
  storedAt: integer('stored_at'),
})

/** The documents before and after a document. */
export interface DocumentVersion {
  /** `documentId` of the version that it replaces. */
  readonly replaces?: string
  /** `documentId` of the version that replaces it. */
  readonly replacedBy?: string
}

/** The version that replaces a document. */
export interface Replacement {
  readonly documentId: string
  readonly storedAt: number
}

/** Keeps which document replaces which. */
export class DocumentVersions {
  static readonly inject = {
    database: Database,
    documents: DocumentStore,
    signatures: SignatureStore,
    access: DocumentAccess,
  }

  constructor(private readonly use: Injected<typeof DocumentVersions.inject>) {}

  /**
   * Refuses everybody but who signed the document first, and colleagues of the same organization: anybody may add a signature
   * to a public document, and must not be able to announce a newer version of it.
   */
  async assertMayReplace(documentId: string, signer: SignatureFacts | undefined): Promise<void> {
    const { id } = await this.use.documents.get(documentId)
    if (signer === undefined || !(await this.signedFirst(id, signer))) throw documentErrors.error('replacedByStranger')
  }

  /** Stores that a new document replaces another, in the caller's transaction. A document is replaced once. */
  async add({ id: documentId, storedAt }: DocumentRecord, replaces: string): Promise<void> {
    const row = versions.row({ documentId, replaces, storedAt })
    if (!(await insertOrLose(this.use.database.query(versions.name).insert(row))))
      throw documentErrors.error('documentAlreadyReplaced')
  }

  /** The versions before and after that the caller may view: a private document is not told to strangers. */
  async of(caller: Caller, documentId: string): Promise<DocumentVersion> {
    const rows = await this.rows(documentId)
    if (rows.length === 0) return {}
    const before = rows.find((row) => row.documentId === documentId)?.replaces
    const after = rows.find((row) => row.replaces === documentId)?.documentId
    return {
      ...(before !== undefined && (await this.mayView(caller, before)) && { replaces: before }),
      ...(after !== undefined && (await this.mayView(caller, after)) && { replacedBy: after }),
    }
  }

  /** The version that replaces a document. */
  async replacementOf(documentId: string): Promise<Replacement | undefined> {
    return (await this.rows(documentId)).find(({ replaces }) => replaces === documentId)
  }

  private async rows(documentId: string) {
    const rows = await this.use.database.rows(
      `select ${versions.columns.join(', ')} from ${versions.name} where document_id = ? or replaces = ?`,
      [documentId, documentId],
    )
    return rows.map((row) => versions.read(row))
  }

  private async signedFirst(documentId: string, { userId, businessId }: SignatureFacts): Promise<boolean> {
    const [first] = await this.use.signatures.page(documentId, 0, 1)
    if (first === undefined || first.facts.businessId !== businessId) return false
    return businessId !== undefined || first.facts.userId === userId
  }

  private async mayView(caller: Caller, documentId: string): Promise<boolean> {
    return this.use.access.may('view', caller, await this.use.documents.get(documentId))
  }
}
