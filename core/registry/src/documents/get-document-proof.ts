import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { told } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { readDigest } from './digest-search.js'
import { DocumentAccess } from './document-access.js'
import { DocumentStore } from './document-store.js'
import { documentErrors } from './errors.js'
import { DocumentParams } from './schema.js'

/** Answer of `GET /api/{id}/proof`. */
export const DocumentProof = Type.Object(
  {
    documentId: Type.String(),
    storedAt: Type.Integer({ description: 'when the document was registered, milliseconds' }),
    signaturesTotal: Type.Integer(),
    algorithms: Type.Array(Type.String(), { description: 'OIDs of the hashes that a file can be compared by' }),
    matches: Type.Optional(Type.Boolean({ description: 'whether the hash of the query is one of this document' })),
  },
  { $id: 'DocumentProof' },
)
export type DocumentProof = Static<typeof DocumentProof>

/**
 * Tells that a document is registered and how many have signed it, and nothing more. Hashes are compared here and not given
 * out: from a hash, a short or standard private text can be guessed.
 */
export class GetDocumentProof {
  static readonly operation = operation({
    id: 'getDocumentProof',
    group: 'documents',
    at: 'GET /:id/proof',
    who: told('whoever may view the document; anyone where its setting `publicProof` is on'),
    summary: 'Read that a document is registered and signed, and compare a hash with it',
    description:
      'For whoever may view the document, and for anybody where its setting publicProof is on. No title, no names, no hashes.',
    params: DocumentParams,
    query: Type.Object({ digest: Type.Optional(Type.String({ description: 'base64 of the hash of a file' })) }),
    answer: DocumentProof,
    refuses: [
      'accessDenied',
      'authenticationRequired',
      'documentDigestsNotKnown',
      'documentNotFound',
      'invalidDocumentIdentifier',
    ],
  })
  static readonly inject = { documents: DocumentStore, access: DocumentAccess }

  constructor(private readonly use: Injected<typeof GetDocumentProof.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, query = {} }: Input<typeof GetDocumentProof.operation>,
  ): Promise<DocumentProof> {
    const document = await this.use.documents.get(documentId)
    const { settings, digestsFixedAt, storedAt, signaturesTotal } = document
    const isOpen = settings.publicProof === true && digestsFixedAt !== undefined
    if (!isOpen) await this.use.access.assertMay('view', caller, document)
    if (digestsFixedAt === undefined) throw documentErrors.error('documentDigestsNotKnown')
    const asked = query.digest === undefined ? undefined : readDigest(query.digest)
    const digests = await this.use.documents.digests(documentId)
    return {
      documentId,
      storedAt,
      signaturesTotal,
      algorithms: [...digests.keys()],
      ...(asked && { matches: [...digests.values()].some((digest) => asked.equals(digest)) }),
    }
  }
}
