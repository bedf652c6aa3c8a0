import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { anyone } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import { readDigest } from './digest-search.js'
import { FoundDocument, ViewableDocuments } from './viewable-documents.js'

/** Answer of `GET /api/findByDigest`. */
export const FoundDocuments = Type.Object(
  {
    documents: Type.Array(FoundDocument, {
      description:
        'the newest first; only those that the caller may view: the oldest and the newest of those open to everybody, then the caller’s own',
    }),
  },
  { $id: 'FoundDocuments' },
)
export type FoundDocuments = Static<typeof FoundDocuments>

/** Documents by each kind of access in one search: an original may be registered any number of times. */
const MAX_BY_EACH_ACCESS = 50
/** Hashes in one search; an original has one for each algorithm. */
const MAX_HASHES = 16

/**
 * Finds documents by hashes of an original, so that the holder of a file learns where it is registered without sending it, in
 * one request for all algorithms. What the caller may not view is left out, as if it did not exist.
 */
export class FindDocumentsByDigest {
  static readonly operation = operation({
    id: 'findDocumentsByDigest',
    group: 'documents',
    at: 'GET /findByDigest',
    who: anyone(),
    summary: 'Find documents by a hash of their original',
    description:
      'By a hash by any algorithm that documents are fixed with. Documents that the caller may not view are left out.',
    query: Type.Object({
      digest: Type.String({
        description: `base64 of the hash; of up to ${MAX_HASHES} hashes with commas between them: what has any of them is found`,
      }),
    }),
    answer: FoundDocuments,
  })
  static readonly inject = { viewable: ViewableDocuments }

  constructor(private readonly use: Injected<typeof FindDocumentsByDigest.inject>) {}

  async execute(caller: Caller, { query }: Input<typeof FindDocumentsByDigest.operation>): Promise<FoundDocuments> {
    const texts = query.digest.split(',', MAX_HASHES + 1)
    if (texts.length > MAX_HASHES) throw requestErrors.error('invalidQueryParameter', { parameter: 'digest' })
    return { documents: await this.use.viewable.withDigest(caller, texts.map(readDigest), MAX_BY_EACH_ACCESS) }
  }
}
