import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { DocumentAccess } from './document-access.js'
import { assertDocumentId, DocumentStore } from './document-store.js'
import { RoutedItems } from './ports.js'
import { registratorObject } from './registrator.js'
import type { Document } from './schema.js'
import { SignatureStore, signatureObject } from './signature-store.js'

/**
 * Answers a document with a page of its signatures (specification, `GET /api/{id}`).
 * Read on with `lastSignId` until `signatures` is empty.
 */
export class GetDocument {
  static readonly inject = [DocumentStore, SignatureStore, DocumentAccess, RoutedItems, Limits] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly signatures: SignatureStore,
    private readonly access: DocumentAccess,
    private readonly routed: RoutedItems,
    private readonly limits: Limits,
  ) {}

  async execute(
    caller: Caller,
    documentId: string,
    query: { lastSignId?: number | undefined } = {},
  ): Promise<Document> {
    assertDocumentId(documentId)
    // Read before what decides about them: a signature that closes the document is not shown by what was open before.
    const page = await this.signatures.page(documentId, query.lastSignId ?? 0, this.limits.signaturesPerCall)
    const document = await this.documents.get(documentId)
    await this.access.assertMay('view', caller, document, page)
    return {
      title: document.title,
      description: document.description,
      signedDataSize: document.signedDataSize,
      ...(document.emailNotifications && { emailNotifications: document.emailNotifications }),
      signatureEmailNotifications: page.flatMap(({ signId, emailNotifications }) =>
        emailNotifications ? [{ signId, ...emailNotifications }] : [],
      ),
      settings: document.settings,
      signaturesTotal: document.signaturesTotal,
      signatures: page.map(signatureObject),
      dataArchived: false,
      tempStorage: false,
      canBeArchived: false,
      ...(document.registrator && { registrator: registratorObject(document.registrator) }),
      ...(await this.routed.idsFor(caller, { documentId })),
    }
  }
}
