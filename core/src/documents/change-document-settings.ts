import { AuditStore, authorOf } from '../audit/index.js'
import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { knownFields } from '../kernel/known-fields.js'
import { checkDocumentSettings } from './check-request.js'
import { DocumentAccess } from './document-access.js'
import { DocumentStore } from './document-store.js'
import { type ChangedDocument, DocumentSettings } from './schema.js'
import { replaceSettings } from './settings-rules.js'

/** Replaces the settings of a document; what is omitted takes its default (specification, `POST /api/{id}/settings`). */
export class ChangeDocumentSettings {
  static readonly inject = [DocumentStore, DocumentAccess, AuditStore, Database, Clock] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly access: DocumentAccess,
    private readonly audit: AuditStore,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute(caller: Caller, documentId: string, wanted: DocumentSettings): Promise<ChangedDocument> {
    checkDocumentSettings(wanted)
    await this.database.transaction(async () => {
      const document = await this.documents.lock(documentId)
      // By the rights of this moment: who lost them while waiting for another writer changes nothing.
      await this.access.assertMay('changeSettings', caller, document)
      const modified = replaceSettings(document, knownFields(DocumentSettings, wanted))
      await this.documents.changeSettings(documentId, modified)
      await this.audit.append({
        ownerKind: 'document',
        ownerId: documentId,
        original: document.settings,
        modified,
        ...authorOf(caller),
        modifiedAt: this.clock.now(),
      })
    })
    return { documentId }
  }
}
