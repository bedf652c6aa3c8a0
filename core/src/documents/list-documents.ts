import { Timeline, type TimelineItem } from '../database/timeline.js'
import { assertAuthenticated, type Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { OrganizationGuard } from '../organizations/index.js'
import { organizationList, ownList } from './document-lists.js'
import { DocumentStore, type StoredDocument } from './document-store.js'
import { registratorObject } from './registrator.js'
import type { DocumentList, DocumentListItem } from './schema.js'
import { SearchDocuments } from './search-documents.js'
import { SignatureStore, signatureObject } from './signature-store.js'

/** Query of `GET /api`; times in milliseconds, `until` is exclusive. */
export interface ListDocumentsQuery {
  readonly from?: number | undefined
  readonly until?: number | undefined
  readonly organization?: boolean | undefined
  readonly dataArchived?: boolean | undefined
  readonly searchQuery?: string | undefined
  readonly includeSignatures?: boolean | undefined
}

const NOTHING: DocumentList = { documentsTotal: 0, documents: [] }

/**
 * Lists the caller's documents, or those of their organization, newest first (specification, `GET /api`).
 * Read on with `until` set to the last `storedAt` until `documents` is empty.
 */
export class ListDocuments {
  static readonly inject = [
    Timeline,
    SearchDocuments,
    DocumentStore,
    SignatureStore,
    OrganizationGuard,
    Limits,
  ] as const

  constructor(
    private readonly timeline: Timeline,
    private readonly search: SearchDocuments,
    private readonly documents: DocumentStore,
    private readonly signatures: SignatureStore,
    private readonly guard: OrganizationGuard,
    private readonly limits: Limits,
  ) {}

  async execute(caller: Caller, query: ListDocumentsQuery = {}): Promise<DocumentList> {
    const list = await this.#list(caller, query.organization ?? false)
    // Nothing is archived as long as the registry keeps hashes only.
    if (list === undefined || query.dataArchived === true) return NOTHING
    const { total, items } = await this.#find(list, query)
    const documents = await this.documents.list(items.map(({ item }) => item))
    const includeSignatures = query.includeSignatures ?? false
    return {
      documentsTotal: total,
      documents: await Promise.all(documents.map((document) => this.#item(document, includeSignatures))),
    }
  }

  /** The list that the caller asks for, if they may see it. */
  async #list(caller: Caller, organization: boolean): Promise<string | undefined> {
    assertAuthenticated(caller)
    return organization ? organizationList(await this.guard.assert(caller, 'documentsList')) : ownList(caller)
  }

  async #find(list: string, query: ListDocumentsQuery): Promise<{ total: number; items: TimelineItem[] }> {
    const { from = 0, until = Number.MAX_SAFE_INTEGER, searchQuery = '' } = query
    const { itemsPerPage } = this.limits
    if (searchQuery !== '') return this.search.execute(list, searchQuery, { from, until }, itemsPerPage)
    const items = await this.timeline.page(list, { from, until }, itemsPerPage)
    return { total: await this.timeline.total(list, { from, until }), items }
  }

  async #item(document: StoredDocument, includeSignatures: boolean): Promise<DocumentListItem> {
    const { id, storedAt, title, description, signedDataSize, registrator, signaturesTotal } = document
    return {
      documentId: id,
      storedAt,
      title,
      description,
      dataArchived: false,
      signedDataSize,
      ...(registrator && { registrator: registratorObject(registrator) }),
      signaturesTotal,
      ...(includeSignatures && {
        signatures: (await this.signatures.page(id, 0, this.limits.signaturesPerCall)).map(signatureObject),
      }),
    }
  }
}
