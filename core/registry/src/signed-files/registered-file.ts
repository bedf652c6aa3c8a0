import Type, { type Static } from 'typebox'
import { FixedDigests } from '../documents/index.js'

const { documentId, signedDataSize, digests, dataArchived, tempStorage } = FixedDigests.properties

/** Answer of `POST /api/registerFile`. */
export const RegisteredFile = Type.Object(
  {
    format: Type.Enum(['cms', 'pdf', 'asic-s', 'asic-e'], { description: 'what the file is, by its content' }),
    packageId: Type.Optional(Type.String({ description: 'of several documents' })),
    documents: Type.Array(
      Type.Object({
        documentId,
        name: Type.String({ description: 'in the container; empty for what has none, such as a PDF' }),
        signedDataSize,
        digests,
        signIds: Type.Array(Type.Integer(), { description: 'in the order of the file' }),
        dataArchived,
        tempStorage,
      }),
    ),
  },
  { $id: 'RegisteredFile' },
)
export type RegisteredFile = Static<typeof RegisteredFile>
