import Type from 'typebox'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { type ReadableOriginal, ReadOriginals } from '../originals/index.js'
import { onDocument } from './on-document.js'
import { DocumentParams } from './schema.js'

/** The stored original of a document. It is read as a stream; JSON has it in base64. */
export interface DocumentData extends ReadableOriginal {
  readonly documentId: string
  /** Of the document; may be empty. */
  readonly title: string
}

/** Answer of `GET /api/{id}/data`. */
export const DocumentData = Type.Unsafe<DocumentData>(
  Type.Object(
    {
      documentId: Type.String(),
      document: Type.String({ description: 'base64 of the original' }),
      signedDataSize: Type.Integer({ description: 'bytes' }),
    },
    { $id: 'DocumentData' },
  ),
)

/** Opens the original of a document that is archived or in temporary storage (specification, `GET /api/{id}/data`). */
export class GetDocumentData {
  static readonly operation = operation({
    id: 'getDocumentData',
    group: 'documents',
    at: 'GET /:id/data',
    who: onDocument('readData', {
      more: ': who may view the document and is authenticated; anyone where settings open it to everyone',
    }),
    summary: 'Read the stored original: JSON, or its bytes for who accepts application/octet-stream',
    description:
      'Only of a document that is archived or in temporary storage, for whoever may view it and is authenticated. Bytes can be read by a `Range`.',
    params: DocumentParams,
    alsoAnswers: ['application/octet-stream'],
    answer: DocumentData,
    refuses: ['archiveNotFound'],
  })
  static readonly inject = { originals: ReadOriginals }

  constructor(private readonly use: Injected<typeof GetDocumentData.inject>) {}

  async execute(
    _caller: Caller,
    { id: documentId, document }: Admitted<typeof GetDocumentData.operation>,
  ): Promise<DocumentData> {
    return { documentId, title: document.title, ...(await this.use.originals.open(documentId)) }
  }
}
