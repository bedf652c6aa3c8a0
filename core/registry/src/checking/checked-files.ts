import Type, { type Static } from 'typebox'
import { FoundDocument } from '../documents/index.js'
import { CheckedSignature } from '../signatures/index.js'

/** The verdict on all signatures and documents of a request, and on each. */
export const CheckedFiles = Type.Object(
  {
    outcome: Type.Enum(['proved', 'unknown', 'wrong'], {
      description:
        'wrong beats unknown, and unknown beats proved; a document that no signature is over, or that was added to since, leaves it unknown',
    }),
    ...CheckedSignature.properties,
    documents: Type.Array(
      Type.Object({
        name: Type.String(),
        signatures: Type.Array(Type.Integer(), { description: 'those that are over it, by their places from 0' }),
        signed: Type.Enum(['whole', 'part', 'nothing'], {
          description: 'how much of it: part where it was added to after its last signature',
        }),
        registered: Type.Array(FoundDocument, {
          description: 'documents of any of its hashes that are registered, of those that the caller may view',
        }),
      }),
    ),
  },
  { $id: 'CheckedFiles' },
)
export type CheckedFiles = Static<typeof CheckedFiles>
