import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import type { ProofOfDocument } from './kept-proofs.js'
import { onDocument } from './on-document.js'
import { DocumentParams } from './schema.js'
import { VerifyAgain } from './verify-again.js'

/** What proves the signatures of a document, and for how long. */
export const ProvedUntil = Type.Object(
  {
    since: Type.Integer({
      description: 'the latest time at which one of the signatures is proved to have existed, milliseconds',
    }),
    by: Type.Enum(['timeStamp', 'evidenceRecord'], {
      description:
        'timeStamp: by the time stamps over the signatures alone; evidenceRecord: each by an evidence record (RFC 4998) over it as well',
    }),
    chains: Type.Integer({ description: 'chains of the evidence record with the fewest: one for each digest' }),
    stamps: Type.Integer({ description: 'archive time stamps of the evidence record with the fewest' }),
    holdsUntil: Type.Optional(
      Type.Integer({
        description: 'until when that holds without a further renewal, milliseconds; absent where nothing ends',
      }),
    ),
    ended: Type.Integer({
      description:
        'signatures that the word of the registry alone dates: what proved their time had ended before it was renewed. More than 0 is no proof to others',
    }),
  },
  { $id: 'ProvedUntil' },
)

/** Answer of `POST /api/{id}/verify`. */
export const VerifiedDocument = Type.Object(
  {
    documentId: Type.String(),
    dataArchived: Type.Boolean(),
    tempStorage: Type.Boolean(),
    signaturesTotal: Type.Integer({ description: 'how many signatures were proved' }),
    verifiedAt: Type.Integer({ description: 'when, in milliseconds since the UNIX epoch' }),
    proof: Type.Optional(ProvedUntil),
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
      'invalidTspTimeStamp',
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
    const { signaturesTotal, state, proof } = await this.use.verification.verify(caller, document, upload, more)
    const { dataArchived, tempStorage } = state
    const verifiedAt = this.use.clock.now()
    return { documentId, dataArchived, tempStorage, signaturesTotal, verifiedAt, ...(proof && { proof: told(proof) }) }
  }
}

const told = ({ holdsUntil, ...proof }: ProofOfDocument): Static<typeof ProvedUntil> => ({
  ...proof,
  ...(Number.isFinite(holdsUntil) && { holdsUntil }),
})
