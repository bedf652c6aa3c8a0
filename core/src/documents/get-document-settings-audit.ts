import { AuditStore } from '../audit/index.js'
import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { DocumentAccess } from './document-access.js'
import { DocumentStore } from './document-store.js'
import type { DocumentSettings, DocumentSettingsAudit } from './schema.js'

/** Answers who changed the settings of a document, and how (specification, `GET /api/{id}/settingsAudit`). */
export class GetDocumentSettingsAudit {
  static readonly inject = [DocumentStore, DocumentAccess, AuditStore, Limits] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly access: DocumentAccess,
    private readonly audit: AuditStore,
    private readonly limits: Limits,
  ) {}

  async execute(
    caller: Caller,
    documentId: string,
    query: { lastEventId?: number | undefined } = {},
  ): Promise<DocumentSettingsAudit> {
    await this.access.assertMay('changeSettings', caller, await this.documents.get(documentId))
    const { lastEventId = 0 } = query
    const page = await this.audit.page<DocumentSettings>(
      'document',
      documentId,
      lastEventId,
      this.limits.auditEventsPerCall,
    )
    return { documentId, ...page }
  }
}
