import Type, { type Static } from 'typebox'
import { FoundDocument } from '../documents/index.js'
import { CheckedSigner } from '../signatures/index.js'
import { CheckedLog } from './checked-log.js'
import { CheckedRecord } from './checked-record.js'

const Time = (description: string) => Type.String({ description: `${description}; UTC, RFC 3339` })

/** What is wrong with a bundle. */
export const EvidenceProblemFacts = Type.Object({
  code: Type.String({ description: 'such as fileChanged, formChanged or noteWrong (docs/evidence.md, "Problems")' }),
  file: Type.Optional(Type.String({ description: 'the file in the bundle that it is about' })),
})

/** Answer of `POST /api/checkEvidence`. */
export const CheckedEvidence = Type.Object(
  {
    outcome: Type.Enum(['proved', 'unknown', 'wrong'], {
      description:
        'of everything in the bundle, the worst: wrong beats unknown, and unknown beats proved; without the original it is unknown',
    }),
    judgedAt: Type.Integer({ description: 'milliseconds since the UNIX epoch' }),
    problems: Type.Array(EvidenceProblemFacts),
    statement: Type.Object(
      {
        signedBy: Type.Enum(['trusted', 'notTrusted', 'otherKey', 'wrong', 'missing'], {
          description:
            'trusted: by this registry; notTrusted: by the key that the bundle itself names, so what it says is only the word of its owner',
        }),
        origin: Type.String(),
        name: Type.String(),
        statementKey: Type.String(),
        rules: Type.String(),
        asOf: Time('when the state of the documents last changed'),
      },
      { description: 'the registry that made the bundle, as it says itself' },
    ),
    package: Type.Optional(
      Type.Object({ packageId: Type.String(), title: Type.String(), storedAt: Time('when it was registered') }),
    ),
    documents: Type.Array(
      Type.Object({
        documentId: Type.String({ description: 'in the registry that made the bundle' }),
        title: Type.String(),
        storedAt: Time('when it was registered, as that registry says'),
        size: Type.Integer({ description: 'bytes' }),
        digests: Type.Record(Type.String(), Type.String(), {
          description: 'OID of the algorithm to base64 of the hash',
        }),
        original: Type.Enum(['inside', 'notShown']),
        signatures: Type.Array(Type.Integer(), { description: 'by their places from 0' }),
        registered: Type.Array(FoundDocument, {
          description: 'documents of any of its hashes that are registered here, of those that the caller may view',
        }),
      }),
    ),
    signatures: Type.Array(
      Type.Object({
        ...CheckedSigner.properties,
        signId: Type.Integer({ description: 'in the registry that made the bundle' }),
        storedAt: Time('when it was registered, as that registry says'),
      }),
    ),
    log: Type.Array(CheckedLog, {
      description:
        'what the transparency log of the registry that made the bundle proves, of each signature and of the hashes of each document',
    }),
    records: Type.Array(CheckedRecord, { description: 'what evidence records prove of the signatures that have one' }),
  },
  { $id: 'CheckedEvidence' },
)
export type CheckedEvidence = Static<typeof CheckedEvidence>
