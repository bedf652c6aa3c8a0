import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import type { Digests } from '../originals/index.js'
import { DigestEnds } from './digest-ends.js'
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
    trustedUntil: Type.Optional(
      Type.Integer({ description: 'when the last of these hashes ends, milliseconds; absent where no day is known' }),
    ),
    furtherDigest: Type.Optional(
      Type.String({
        description: 'present where that is within a year: OID for POST /api/{id}/verify?digest=, with the original',
      }),
    ),
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
  static readonly inject = { documents: DocumentStore, ends: DigestEnds }

  constructor(private readonly use: Injected<typeof GetDocumentDigests.inject>) {}

  async execute(
    _caller: Caller,
    { id, document }: Admitted<typeof GetDocumentDigests.operation>,
  ): Promise<DocumentDigests> {
    return shownDigests(document, await this.use.documents.digests(id), this.use.ends)
  }
}

/** The hashes of a document as answers show them. */
export const shownDigests = (
  { id: documentId, storedAt, packageId, digestsFixedAt, signedDataSize }: DocumentRecord,
  digests: Digests,
  ends: DigestEnds,
): DocumentDigests => ({
  documentId,
  storedAt,
  ...(packageId !== undefined && { packageId }),
  ...(digestsFixedAt !== undefined && { digestsFixedAt }),
  digests: digestsToJson(digests),
  ...endOf(digests, ends, signedDataSize),
})

/** When the last hash ends, and what to add before. */
function endOf(digests: Digests, ends: DigestEnds, size: number) {
  const trustedUntil = ends.longest(digests.keys())?.until ?? Number.POSITIVE_INFINITY
  if (!Number.isFinite(trustedUntil)) return {}
  const furtherDigest = ends.isNear(trustedUntil) ? ends.further(size) : undefined
  return { trustedUntil, ...(furtherDigest !== undefined && { furtherDigest }) }
}
