import Type from 'typebox'
import { Database } from '../database/database.js'
import { DocumentAccess, DocumentStore, Sending } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { told } from '../identity/index.js'
import { type Input, keepNothing, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { SendRequest, SentItem } from './schema.js'

/** Sends a registered document to a counterparty (specification, `POST /api/{id}/send`). */
export class SendDocument {
  static readonly operation = operation({
    id: 'sendDocument',
    group: 'routing',
    at: 'POST /:id/send',
    who: told('people, and employees and systems with `documentsPackagesRoute`, who may act on the document'),
    summary: 'Send a document to a counterparty',
    description:
      'To a person by IIN or to an organization by BIN. It is delivered when registration is complete and the conditions of `send` hold.',
    params: Type.Object({ id: Type.String({ description: 'identifier of the document' }) }),
    request: SendRequest,
    answer: SentItem,
    idempotent: true,
    refuses: [
      'accessDenied',
      'alreadySent',
      'authenticationRequired',
      'documentNotFound',
      'invalidDeadline',
      'invalidDocumentIdentifier',
      'invalidReceiver',
    ],
  })
  static readonly inject = { documents: DocumentStore, access: DocumentAccess, sending: Sending, database: Database }

  constructor(private readonly use: Injected<typeof SendDocument.inject>) {}

  async execute(
    caller: Caller,
    { id, request, keep = keepNothing }: Input<typeof SendDocument.operation>,
  ): Promise<SentItem> {
    const prepared = await this.use.sending.prepare(caller, request)
    return this.use.database.transaction(async () => {
      // Locked, so that the document is neither completed nor sent a second time meanwhile.
      const document = await this.use.documents.lockEverywhere(id)
      await this.use.access.assertMay('act', caller, document)
      const isComplete = document.digestsFixedAt !== undefined
      return keep({ outgoingId: await this.use.sending.send(prepared, { documentId: id }, isComplete) })
    })
  }
}
