import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { onDocument } from './on-document.js'
import { DocumentParams } from './schema.js'
import { VerifyAgain } from './verify-again.js'

/** Answer of `POST /api/{id}/verify`. */
export const VerifiedDocument = Type.Object(
  {
    documentId: Type.String(),
    dataArchived: Type.Boolean(),
    tempStorage: Type.Boolean(),
    signaturesTotal: Type.Integer({ description: 'how many signatures were proved' }),
    verifiedAt: Type.Integer({ description: 'when, in milliseconds since the UNIX epoch' }),
  },
  { $id: 'VerifiedDocument' },
)
export type VerifiedDocument = Static<typeof VerifiedDocument>

/**
 * Verifies a document again by its original and stored evidence only, each signature as of its registration
 * (specification, `POST /api/{id}/verify`). Newly computed hashes are added to the fixed ones.
 */
export class VerifyDocument {
  static readonly operation = operation({
    id: 'verifyDocument',
    group: 'documents',
    at: 'POST /:id/verify',
    who: onDocument('view'),
    summary: 'Judge the original and all signatures again, from stored evidence',
    description:
      'Nothing is asked of anybody outside: the answer is the same in years. It says how many signatures were proved, and refuses when one does not hold.',
    params: DocumentParams,
    query: Type.Object({
      digest: Type.Optional(Type.String({ description: 'OID of one more digest to compute, for a signature to come' })),
    }),
    upload: true,
    answer: VerifiedDocument,
    refuses: [
      'algorithmNotTrusted',
      'digestAlgorithmNotSupported',
      'documentDigestsNotKnown',
      'invalidCertificateStatus',
      'signatureDoesNotCorrespond',
    ],
  })
  static readonly inject = { verification: VerifyAgain, clock: Clock }

  constructor(private readonly use: Injected<typeof VerifyDocument.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, document, query: { digest } = {}, upload }: Admitted<typeof VerifyDocument.operation>,
  ): Promise<VerifiedDocument> {
    const more = digest === undefined ? [] : [digest]
    const { signaturesTotal, state } = await this.use.verification.verify(caller, document, upload, more)
    const { dataArchived, tempStorage } = state
    return { documentId, dataArchived, tempStorage, signaturesTotal, verifiedAt: this.use.clock.now() }
  }
}
