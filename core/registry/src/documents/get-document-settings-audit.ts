import Type, { type Static } from 'typebox'
import { AuditQuery, AuditStore, auditPage } from '../audit/index.js'
import type { Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { DocumentAccess } from './document-access.js'
import { DocumentStore } from './document-store.js'
import { DocumentParams, DocumentSettings } from './schema.js'

/** Answer of `GET /api/{id}/settingsAudit`. */
export const DocumentSettingsAudit = Type.Object(
  {
    documentId: Type.String(),
    ...auditPage(DocumentSettings.properties),
  },
  { $id: 'DocumentSettingsAudit' },
)
export type DocumentSettingsAudit = Static<typeof DocumentSettingsAudit>

/** Answers who changed the settings of a document, and how (specification, `GET /api/{id}/settingsAudit`). */
export class GetDocumentSettingsAudit {
  static readonly operation = operation({
    id: 'getDocumentSettingsAudit',
    group: 'documents',
    summary: 'Read the changes of the settings of a document; read on with lastEventId until events is empty',
    description: 'For whoever may change the settings. Events are never changed or removed.',
    params: DocumentParams,
    query: AuditQuery,
    answer: DocumentSettingsAudit,
  })
  static readonly inject = { documents: DocumentStore, access: DocumentAccess, audit: AuditStore }

  constructor(private readonly use: Injected<typeof GetDocumentSettingsAudit.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, query }: Input<typeof GetDocumentSettingsAudit.operation>,
  ): Promise<DocumentSettingsAudit> {
    await this.use.access.assertMay('changeSettings', caller, await this.use.documents.get(documentId))
    return { documentId, ...(await this.use.audit.page<DocumentSettings>('document', documentId, query)) }
  }
}
