import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { DocumentAccess } from './document-access.js'
import { DocumentStore } from './document-store.js'
import { buildFileName } from './file-name.js'
import { DocumentParams } from './schema.js'

/** Answer of `GET /api/{id}/buildFileName`. */
export const BuiltFileName = Type.Object(
  { documentId: Type.String(), fileName: Type.String() },
  { $id: 'BuiltFileName' },
)
export type BuiltFileName = Static<typeof BuiltFileName>

/** Builds a file name that carries the identifier of the document; the title serves where no name is given. */
export class BuildFileName {
  static readonly operation = operation({
    id: 'buildFileName',
    group: 'documents',
    summary: 'Put the identifier of a document into a file name; its title where no name is given',
    description:
      'The identifier stands before the extension, in a form that GET /api/idFromFileName finds again, also after a file was renamed by a browser.',
    params: DocumentParams,
    query: Type.Object({ name: Type.Optional(Type.String({ description: 'file name' })) }),
    answer: BuiltFileName,
  })
  static readonly inject = { documents: DocumentStore, access: DocumentAccess }

  constructor(private readonly use: Injected<typeof BuildFileName.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, query = {} }: Input<typeof BuildFileName.operation>,
  ): Promise<BuiltFileName> {
    const document = await this.use.documents.get(documentId)
    await this.use.access.assertMay('view', caller, document)
    return { documentId, fileName: buildFileName(query.name ?? document.title, documentId) }
  }
}
