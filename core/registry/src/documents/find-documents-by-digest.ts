import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import { readDigest } from './digest-query.js'
import { DocumentAccess } from './document-access.js'
import { DocumentStore } from './document-store.js'

/** Answer of `GET /api/findByDigest`. */
export const FoundDocuments = Type.Object(
  {
    documents: Type.Array(
      Type.Object({
        documentId: Type.String(),
        title: Type.String(),
        storedAt: Type.Integer({ description: 'milliseconds since the UNIX epoch' }),
        signaturesTotal: Type.Integer(),
      }),
      { description: 'the newest first; only those that the caller may view' },
    ),
  },
  { $id: 'FoundDocuments' },
)
export type FoundDocuments = Static<typeof FoundDocuments>

/** Documents that are looked at in one search: an original may be registered any number of times. */
const LOOKED_AT = 50
/** Hashes of one search; an original has one by each algorithm. */
const MOST = 16

/**
 * Finds documents by a hash of their original, by whatever algorithm they were fixed with: who holds a file learns where
 * it is registered without sending it, and in one request, whatever algorithm was used. What the caller may not view is left out, as if it were not there.
 */
export class FindDocumentsByDigest {
  static readonly operation = operation({
    id: 'findDocumentsByDigest',
    group: 'documents',
    summary: 'Find documents by a hash of their original',
    description:
      'Anyone may ask, with a hash by any algorithm that documents are fixed with. Documents that the caller may not view are left out.',
    query: Type.Object({
      digest: Type.String({
        description: `base64 of the hash; of up to ${MOST} hashes with commas between them: what has any of them is found`,
      }),
    }),
    answer: FoundDocuments,
  })
  static readonly inject = { documents: DocumentStore, access: DocumentAccess }

  constructor(private readonly use: Injected<typeof FindDocumentsByDigest.inject>) {}

  async execute(caller: Caller, { query }: Input<typeof FindDocumentsByDigest.operation>): Promise<FoundDocuments> {
    const texts = query.digest.split(',', MOST + 1)
    if (texts.length > MOST) throw requestErrors.error('invalidQueryParameter', { parameter: 'digest' })
    const found: FoundDocuments['documents'] = []
    for (const document of await this.use.documents.withDigest(texts.map(readDigest), LOOKED_AT)) {
      if (!(await this.use.access.may('view', caller, document))) continue
      const { id: documentId, title, storedAt, signaturesTotal } = document
      found.push({ documentId, title, storedAt, signaturesTotal })
    }
    return { documents: found }
  }
}
