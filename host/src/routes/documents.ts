import {
  AddedSignature,
  AddSignature,
  AddSignatureRequest,
  Document,
  FixDigests,
  FixedDigests,
  GetDocument,
  RegisterDocument,
  RegisterDocumentRequest,
  RegisteredDocument,
  type Registry,
  VerifiedDocument,
  VerifyDocument,
} from '@signed-registry/core'
import { Type } from 'typebox'
import { type Api, addComponents, ref } from '../http/components.js'
import { UploadBody } from '../http/upload.js'
import { operation } from './operation.js'

export const DocumentParams = Type.Object({ id: Type.String({ description: 'identifier of the document' }) })

const Page = Type.Object({
  lastSignId: Type.Optional(Type.Integer({ description: 'answer the signatures after this one' })),
})

/** Registering and reading documents, and adding signatures. */
export function documentRoutes(app: Api, registry: Registry): void {
  const registerDocument = registry.get(RegisterDocument)
  const getDocument = registry.get(GetDocument)
  const addSignature = registry.get(AddSignature)
  addComponents(app, [RegisterDocumentRequest, RegisteredDocument, Document, AddSignatureRequest, AddedSignature])

  app.post(
    '',
    {
      schema: operation(
        'registerDocument',
        'documents',
        'Register a document with its first signature',
        { body: ref(RegisterDocumentRequest) },
        ref(RegisteredDocument),
      ),
    },
    ({ caller, body }) => registerDocument.execute(caller, body),
  )

  app.get(
    '/:id',
    {
      schema: operation(
        'getDocument',
        'documents',
        'Read a document; read on with lastSignId until signatures is empty',
        { params: DocumentParams, querystring: Page },
        ref(Document),
      ),
    },
    ({ caller, params, query }) => getDocument.execute(caller, params.id, query),
  )

  app.post(
    '/:id',
    {
      schema: operation(
        'addSignature',
        'documents',
        'Add a signature to a document',
        { params: DocumentParams, body: ref(AddSignatureRequest) },
        ref(AddedSignature),
      ),
    },
    ({ caller, params, body }) => addSignature.execute(caller, params.id, body),
  )
}

const consumes = ['application/octet-stream']
const Verification = Type.Object({
  digest: Type.Optional(Type.String({ description: 'OID of one more digest to compute, for a signature to come' })),
})

/** What takes the original of a document. */
export function documentUploadRoutes(app: Api, registry: Registry): void {
  const fixDigests = registry.get(FixDigests)
  const verifyDocument = registry.get(VerifyDocument)
  addComponents(app, [FixedDigests, VerifiedDocument])

  app.post(
    '/:id/data',
    {
      schema: {
        consumes,
        ...operation(
          'fixDigests',
          'documents',
          'Fix the hashes of a document, once, from its original',
          { params: DocumentParams, body: UploadBody },
          ref(FixedDigests),
        ),
      },
    },
    ({ caller, params, body }) => fixDigests.execute(caller, params.id, body),
  )

  app.post(
    '/:id/verify',
    {
      schema: {
        consumes,
        ...operation(
          'verifyDocument',
          'documents',
          'Judge the original and all signatures again, from stored evidence',
          { params: DocumentParams, querystring: Verification, body: UploadBody },
          ref(VerifiedDocument),
        ),
      },
    },
    ({ caller, params, query, body }) => verifyDocument.execute(caller, params.id, body, query),
  )
}
