import { Database } from '../database/database.js'
import { DocumentAccess, DocumentStore, Sending } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import type { SendRequest, SentItem } from './schema.js'

/** Sends a registered document to a counterparty (specification, `POST /api/{id}/send`). */
export class SendDocument {
  static readonly inject = [DocumentStore, DocumentAccess, Sending, Database] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly access: DocumentAccess,
    private readonly sending: Sending,
    private readonly database: Database,
  ) {}

  async execute(caller: Caller, documentId: string, request: SendRequest): Promise<SentItem> {
    const prepared = await this.sending.prepare(caller, request)
    const outgoingId = await this.database.transaction(async () => {
      // Locked, so that the document is not completed, nor sent a second time, in between.
      const document = await this.documents.lock(documentId)
      await this.access.assertMay('act', caller, document)
      return this.sending.send(prepared, { documentId }, document.digestsFixedAt !== undefined)
    })
    return { outgoingId }
  }
}
