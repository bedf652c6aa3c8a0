import Type, { type Static } from 'typebox'
import { CheckedDdc } from '../cards/index.js'
import { FoundDocument } from '../documents/index.js'
import { CheckedEvidence } from '../evidence/index.js'
import { CheckedSignature, CheckedSigner } from '../signatures/index.js'

const Places = (description: string) =>
  Type.Array(Type.Integer(), { description: `${description}, by their places from 0` })
const Digests = Type.Record(Type.String(), Type.String(), { description: 'OID of the algorithm to base64 of the hash' })

/** A change that an update of a PDF made. */
export const FileChange = Type.Object({
  kind: Type.Enum(
    [
      'signature',
      'signatureField',
      'documentTimeStamp',
      'evidence',
      'metadata',
      'formField',
      'annotation',
      'attachment',
      'page',
      'other',
    ],
    { description: 'what was changed (docs/signed-files.md, "What was added to a PDF")' },
  ),
  harmless: Type.Boolean({ description: 'whether what was signed before still shows what its signers saw' }),
  forbidden: Type.Boolean({ description: 'whether the certification of the document forbids it' }),
  name: Type.Optional(Type.String({ description: 'of a field' })),
  page: Type.Optional(Type.Integer({ description: 'from 1' })),
  box: Type.Optional(
    Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description: 'where it is seen: left, bottom, right, top; points',
    }),
  ),
})

/** Answer of `POST /api/checkFile`. */
export const CheckedFile = Type.Object(
  {
    outcome: Type.Enum(['proved', 'unknown', 'wrong'], {
      description:
        'of everything in the file, the worst: wrong beats unknown, and unknown beats proved; what nobody signed leaves it unknown',
    }),
    ...CheckedSignature.properties,
    format: Type.Enum(['cms', 'xml', 'pdf', 'asic-s', 'asic-e', 'card', 'evidence'], {
      description: 'what the file is, by its content',
    }),
    size: Type.Integer({ description: 'bytes' }),
    signatures: Type.Array(
      Type.Object({
        ...CheckedSigner.properties,
        documents: Type.Array(Type.String(), { description: 'names of the documents that it is over' }),
      }),
      { description: 'one for each signer; file is the name of its field or file' },
    ),
    documents: Type.Array(
      Type.Object({
        name: Type.String({ description: 'in the container; empty for what has none, such as a PDF' }),
        size: Type.Integer({ description: 'bytes' }),
        digests: Digests,
        signatures: Places('those that are over it'),
        signed: Type.Enum(['whole', 'part', 'nothing'], {
          description: 'part where something was added that nobody signed',
        }),
        registered: Type.Array(FoundDocument, {
          description: 'documents of any of its hashes that are registered, of those that the caller may view',
        }),
      }),
    ),
    timeStamps: Type.Array(
      Type.Object({
        name: Type.String(),
        documents: Type.Array(Type.String()),
        time: Type.Optional(Type.Integer({ description: 'the moment that it proves, milliseconds since the epoch' })),
        refusal: Type.Optional(
          Type.Object({ code: Type.String(), message: Type.String(), reason: Type.Optional(Type.String()) }),
        ),
      }),
      { description: 'over documents, and not over signatures' },
    ),
    revisions: Type.Array(
      Type.Object({
        end: Type.Integer({ description: 'bytes from the beginning of the file' }),
        signatures: Places('those that are over the file up to here'),
        timeStamps: Places('those that are over the file up to here'),
        changes: Type.Array(FileChange, { description: 'of what was signed before' }),
      }),
      { description: 'of a PDF, the oldest first' },
    ),
    problems: Type.Array(
      Type.Object({
        code: Type.String({ description: 'such as signatureBroken (docs/signed-files.md, "Problems")' }),
        name: Type.Optional(Type.String({ description: 'the signature or file that it is about' })),
        reason: Type.Optional(Type.String()),
      }),
    ),
    card: Type.Optional(CheckedDdc),
    evidence: Type.Optional(CheckedEvidence),
  },
  { $id: 'CheckedFile' },
)
export type CheckedFile = Static<typeof CheckedFile>
