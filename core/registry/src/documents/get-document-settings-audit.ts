import Type, { type Static } from 'typebox'
import { AuditQuery, AuditStore, auditPage } from '../audit/index.js'
import type { Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { onDocument } from './on-document.js'
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

/** Lists who changed the settings of a document, and how (specification, `GET /api/{id}/settingsAudit`). */
export class GetDocumentSettingsAudit {
  static readonly operation = operation({
    id: 'getDocumentSettingsAudit',
    group: 'documents',
    at: 'GET /:id/settingsAudit',
    who: onDocument('changeSettings'),
    summary: 'Read the changes of the settings of a document; read on with lastEventId until events is empty',
    description: 'Events are never changed or removed.',
    params: DocumentParams,
    query: AuditQuery,
    answer: DocumentSettingsAudit,
  })
  static readonly inject = { audit: AuditStore }

  constructor(private readonly use: Injected<typeof GetDocumentSettingsAudit.inject>) {}

  async execute(
    _caller: Caller,
    { id: documentId, query }: Input<typeof GetDocumentSettingsAudit.operation>,
  ): Promise<DocumentSettingsAudit> {
    return { documentId, ...(await this.use.audit.page<DocumentSettings>('document', documentId, query)) }
  }
}
