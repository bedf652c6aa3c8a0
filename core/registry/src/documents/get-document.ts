import Type from 'typebox'
import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { type Input, operation } from '../kernel/operation.js'
import { pageOfBytes } from '../kernel/page-of-bytes.js'
import type { Injected } from '../kernel/service.js'
import { DataStates } from '../originals/index.js'
import { DocumentAccess } from './document-access.js'
import { assertDocumentId, DocumentStore } from './document-store.js'
import { DocumentLimits } from './limits.js'
import { RoutedItems } from './ports.js'
import { registratorObject } from './registrator.js'
import { DocumentParams, DocumentResource } from './schema.js'
import { SignatureStore, type SignatureSummary, signatureObject } from './signature-store.js'

/** What a request for e-mail says when it says nothing. */
const NOBODY = { to: [], doNotAttachDocument: false }

/**
 * Answers a document with a page of its signatures (specification, `GET /api/{id}`).
 * Read on with `lastSignId` until `signatures` is empty.
 */
export class GetDocument {
  static readonly operation = operation({
    id: 'getDocument',
    group: 'documents',
    summary: 'Read a document; read on with lastSignId until signatures is empty',
    description:
      'Whoever may view the document gets it with its signatures, 100 at a time. Times are milliseconds since the UNIX epoch.',
    params: DocumentParams,
    query: Type.Object({
      lastSignId: Type.Optional(Type.Integer({ description: 'answer the signatures after this one' })),
    }),
    answer: DocumentResource,
  })
  static readonly inject = {
    documents: DocumentStore,
    signatures: SignatureStore,
    access: DocumentAccess,
    routed: RoutedItems,
    states: DataStates,
    limits: Limits,
    documentLimits: DocumentLimits,
  }

  constructor(private readonly use: Injected<typeof GetDocument.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, query = {} }: Input<typeof GetDocument.operation>,
  ): Promise<DocumentResource> {
    assertDocumentId(documentId)
    const { lastSignId = 0 } = query
    const { signaturesPerCall } = this.use.documentLimits
    const [page, asked, state, items] = await Promise.all([
      this.use.signatures.page(documentId, lastSignId, signaturesPerCall),
      this.use.documents.get(documentId),
      this.use.states.ask(documentId),
      this.use.routed.idsFor(caller, { documentId }),
    ])
    // A signature may close the document: it is not shown by what was read before it.
    const isCounted = page.length === 0 || (lastSignId === 0 && page.length <= asked.signaturesTotal)
    const document = isCounted ? asked : await this.use.documents.get(documentId)
    await this.use.access.assertMay('view', caller, document, page)
    const shown = await pageOfBytes(page, this.use.limits.pageBytes, ({ signId }) => signId, shownSignature)
    return {
      title: document.title,
      description: document.description,
      signedDataSize: document.signedDataSize,
      emailNotifications: { ...NOBODY, ...document.emailNotifications },
      signatureEmailNotifications: shown.flatMap(({ notifications }) => notifications ?? []),
      settings: document.settings,
      signaturesTotal: document.signaturesTotal,
      signatures: shown.map(({ signature }) => signature),
      ...(await this.use.states.of(document, state)),
      ...(document.registrator && { registrator: registratorObject(document.registrator) }),
      ...items,
    }
  }
}

const shownSignature = (stored: SignatureSummary) => ({
  signature: signatureObject(stored),
  notifications: stored.emailNotifications && { signId: stored.signId, ...NOBODY, ...stored.emailNotifications },
})
