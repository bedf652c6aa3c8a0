import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import type { Digests } from '../originals/index.js'
import { type DocumentRecord, DocumentStore } from './document-store.js'
import { digestsToJson } from './kept-signature.js'
import { onDocument } from './on-document.js'
import { DocumentParams } from './schema.js'

/** Answer of `GET /api/{id}/digests`. */
export const DocumentDigests = Type.Object(
  {
    documentId: Type.String(),
    storedAt: Type.Integer({ description: 'when the document was registered, milliseconds' }),
    packageId: Type.Optional(Type.String({ description: 'the package that the document is part of' })),
    digestsFixedAt: Type.Optional(Type.Integer({ description: 'absent until its original has come, milliseconds' })),
    digests: Type.Record(Type.String(), Type.String(), { description: 'OID of the algorithm to base64 of the hash' }),
  },
  { $id: 'DocumentDigests' },
)
export type DocumentDigests = Static<typeof DocumentDigests>

/** Returns the fixed hashes of a document, to compare with those of a file without sending it. */
export class GetDocumentDigests {
  static readonly operation = operation({
    id: 'getDocumentDigests',
    group: 'documents',
    at: 'GET /:id/digests',
    who: onDocument('view'),
    summary: 'Read the hashes of a document, to compare an original with it without sending it',
    description:
      'Whoever may view the document gets the hashes that were fixed from its original. They are empty until the original has come.',
    params: DocumentParams,
    answer: DocumentDigests,
  })
  static readonly inject = { documents: DocumentStore }

  constructor(private readonly use: Injected<typeof GetDocumentDigests.inject>) {}

  async execute(
    _caller: Caller,
    { id, document }: Admitted<typeof GetDocumentDigests.operation>,
  ): Promise<DocumentDigests> {
    return shownDigests(document, await this.use.documents.digests(id))
  }
}

/** The hashes of a document as answers show them. */
export const shownDigests = (
  { id: documentId, storedAt, packageId, digestsFixedAt }: DocumentRecord,
  digests: Digests,
): DocumentDigests => ({
  documentId,
  storedAt,
  ...(packageId !== undefined && { packageId }),
  ...(digestsFixedAt !== undefined && { digestsFixedAt }),
  digests: digestsToJson(digests),
})
