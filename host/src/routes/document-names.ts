import {
  BuildFileName,
  BuiltFileName,
  DocumentIdFromName,
  idFromFileName,
  NormalizedId,
  normalizeId,
  type Registry,
} from '@signed-registry/core'
import { Type } from 'typebox'
import { type Api, addComponents, ref } from '../http/components.js'
import { DocumentParams } from './documents.js'
import { operation } from './operation.js'

const FileName = Type.Object({ name: Type.String({ description: 'file name' }) })
const SpecialId = Type.Object({ specialId: Type.String({ description: 'identifier, link or file name' }) })

/** Identifiers of documents in names that people see. */
export function documentNameRoutes(app: Api, registry: Registry): void {
  const buildFileName = registry.get(BuildFileName)
  addComponents(app, [BuiltFileName, DocumentIdFromName, NormalizedId])

  app.get(
    '/:id/buildFileName',
    {
      schema: operation(
        'buildFileName',
        'documents',
        'Put the identifier of a document into a file name; its title where no name is given',
        { params: DocumentParams, querystring: Type.Partial(FileName) },
        ref(BuiltFileName),
      ),
    },
    ({ caller, params, query }) => buildFileName.execute(caller, params.id, query),
  )

  app.get(
    '/idFromFileName/',
    {
      schema: operation(
        'idFromFileName',
        'documents',
        'Take the identifier of a document out of a file name',
        { querystring: FileName },
        ref(DocumentIdFromName),
      ),
    },
    async ({ query }) => ({ documentId: idFromFileName(query.name) }),
  )

  app.get(
    '/normalizeId/:specialId',
    {
      schema: operation(
        'normalizeId',
        'documents',
        'Take the identifier of a document out of a link, a file name or a text with spaces',
        { params: SpecialId },
        ref(NormalizedId),
      ),
    },
    async ({ params }) => ({ id: normalizeId(params.specialId), type: 'document' as const }),
  )
}
