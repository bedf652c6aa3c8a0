import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import { buildFileName } from './file-name.js'
import { onDocument } from './on-document.js'
import { DocumentParams } from './schema.js'

/** Answer of `GET /api/{id}/buildFileName`. */
export const BuiltFileName = Type.Object(
  { documentId: Type.String(), fileName: Type.String() },
  { $id: 'BuiltFileName' },
)
export type BuiltFileName = Static<typeof BuiltFileName>

/** Builds a file name with the identifier of the document, from the given name or the title. */
export class BuildFileName {
  static readonly operation = operation({
    id: 'buildFileName',
    group: 'documents',
    at: 'GET /:id/buildFileName',
    who: onDocument('view'),
    summary: 'Put the identifier of a document into a file name; its title where no name is given',
    description:
      'The identifier stands before the extension, in a form that GET /api/idFromFileName finds again, also after a file was renamed by a browser.',
    params: DocumentParams,
    query: Type.Object({ name: Type.Optional(Type.String({ description: 'file name' })) }),
    answer: BuiltFileName,
    refuses: ['invalidFileName'],
  })

  async execute(
    _caller: Caller,
    { id: documentId, document, query = {} }: Admitted<typeof BuildFileName.operation>,
  ): Promise<BuiltFileName> {
    return { documentId, fileName: buildFileName(query.name ?? document.title, documentId) }
  }
}
