import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { anyone } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import { idFromFileName } from './file-name.js'

/** Answer of `GET /api/idFromFileName/`. */
export const DocumentIdFromName = Type.Object({ documentId: Type.String() }, { $id: 'DocumentIdFromName' })
export type DocumentIdFromName = Static<typeof DocumentIdFromName>

/** Extracts the identifier of a document from a file name (specification, `GET /api/idFromFileName/`). */
export class IdFromFileName {
  static readonly operation = operation({
    id: 'idFromFileName',
    group: 'documents',
    at: 'GET /idFromFileName',
    who: anyone(),
    summary: 'Take the identifier of a document out of a file name',
    description: 'It is not looked whether there is such a document.',
    query: Type.Object({ name: Type.String({ description: 'file name' }) }),
    answer: DocumentIdFromName,
    refuses: ['invalidFileName'],
  })

  execute(_caller: Caller, { query }: Input<typeof IdFromFileName.operation>): DocumentIdFromName {
    return { documentId: idFromFileName(query.name) }
  }
}
