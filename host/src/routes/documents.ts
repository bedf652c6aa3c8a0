import {
  AddedSignature,
  AddSignature,
  AddSignatureRequest,
  ChangeDocumentSettings,
  ChangedDocument,
  Document,
  DocumentList,
  DocumentSettings,
  DocumentSettingsAudit,
  FixDigests,
  FixedDigests,
  GetDocument,
  GetDocumentSettingsAudit,
  ListDocuments,
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
import { AuditPage } from './settings.js'

export const DocumentParams = Type.Object({ id: Type.String({ description: 'identifier of the document' }) })

const Page = Type.Object({
  lastSignId: Type.Optional(Type.Integer({ description: 'answer the signatures after this one' })),
})

const Listing = Type.Object({
  from: Type.Optional(Type.Integer({ description: 'registered at this time or later, milliseconds' })),
  until: Type.Optional(Type.Integer({ description: 'registered before this time, milliseconds' })),
  organization: Type.Optional(Type.Boolean({ description: 'documents of the organization instead of your own' })),
  dataArchived: Type.Optional(Type.Boolean({ description: 'only documents whose data is archived, or is not' })),
  searchQuery: Type.Optional(Type.String({ description: 'beginnings of words of title, description, signers' })),
  includeSignatures: Type.Optional(Type.Boolean()),
})

/** Listing documents. */
export function documentListRoutes(app: Api, registry: Registry): void {
  const listDocuments = registry.get(ListDocuments)
  addComponents(app, [DocumentList])

  app.get(
    '',
    {
      schema: operation(
        'listDocuments',
        'documents',
        'List documents, newest first; read on with until set to the last storedAt until documents is empty',
        { querystring: Listing },
        ref(DocumentList),
      ),
    },
    ({ caller, query }) => listDocuments.execute(caller, query),
  )
}

/** Settings of documents, and who changed them. */
export function documentSettingsRoutes(app: Api, registry: Registry): void {
  const changeSettings = registry.get(ChangeDocumentSettings)
  const getSettingsAudit = registry.get(GetDocumentSettingsAudit)
  addComponents(app, [DocumentSettings, ChangedDocument, DocumentSettingsAudit])

  app.post(
    '/:id/settings',
    {
      schema: operation(
        'changeDocumentSettings',
        'documents',
        'Replace the settings of a document; what is omitted takes its default',
        { params: DocumentParams, body: ref(DocumentSettings) },
        ref(ChangedDocument),
      ),
    },
    ({ caller, params, body }) => changeSettings.execute(caller, params.id, body),
  )

  app.get(
    '/:id/settingsAudit',
    {
      schema: operation(
        'getDocumentSettingsAudit',
        'documents',
        'Read the changes of the settings of a document; read on with lastEventId until events is empty',
        { params: DocumentParams, querystring: AuditPage },
        ref(DocumentSettingsAudit),
      ),
    },
    ({ caller, params, query }) => getSettingsAudit.execute(caller, params.id, query),
  )
}

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
