import {
  ExportedSignature,
  ExportSignature,
  FindExportedSignature,
  FindExportedSignatureRequest,
  FoundSignature,
  type Registry,
} from '@signed-registry/core'
import { Type } from 'typebox'
import { type Api, addComponents, ref } from '../http/components.js'
import { DocumentParams } from './documents.js'
import { operation } from './operation.js'

const SignatureParams = Type.Object({ ...DocumentParams.properties, signId: Type.Integer() })
const Export = Type.Object({
  signFormat: Type.Optional(Type.Integer({ description: '0: with its evidence (default); 1: as received' })),
  cmsAsPem: Type.Optional(Type.Boolean({ description: 'PEM in place of base64 (default false)' })),
})

/** Getting signatures out, and finding them again. */
export function signatureRoutes(app: Api, registry: Registry): void {
  const findExportedSignature = registry.get(FindExportedSignature)
  const exportSignature = registry.get(ExportSignature)
  addComponents(app, [FindExportedSignatureRequest, FoundSignature, ExportedSignature])

  app.post(
    '/exported',
    {
      schema: operation(
        'findExportedSignature',
        'documents',
        'Find the document and the signId of an exported signature',
        { body: ref(FindExportedSignatureRequest) },
        ref(FoundSignature),
      ),
    },
    ({ caller, body }) => findExportedSignature.execute(caller, body),
  )

  app.get(
    '/:id/signature/:signId',
    {
      schema: operation(
        'exportSignature',
        'documents',
        'Export a signature',
        { params: SignatureParams, querystring: Export },
        ref(ExportedSignature),
      ),
    },
    ({ caller, params, query }) => exportSignature.execute(caller, params.id, params.signId, query),
  )
}
