import Type, { type Static } from 'typebox'
import { DocumentAccess, DocumentParams, DocumentStore } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { told } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { MailRecord, MailRecordQuery, NotificationRecord } from './mail-record.js'

/** Answer of `GET /api/{id}/notifications`. */
export const DocumentNotifications = Type.Object(
  { documentId: Type.String(), notifications: Type.Array(NotificationRecord) },
  { $id: 'DocumentNotifications' },
)
export type DocumentNotifications = Static<typeof DocumentNotifications>

/** Lists the mails about a document that the caller asked for, and their state (not in the specification). */
export class ListDocumentMails {
  static readonly operation = operation({
    id: 'listDocumentNotifications',
    group: 'documents',
    at: 'GET /:id/notifications',
    who: told('whoever may view the document and is authenticated, about the mails that they asked for'),
    summary:
      'List what became of the mails about a document; read on with until = createdAt of the last one until the list is empty',
    description:
      'Newest first, and to who asked for them alone: whoever signed with them, began a procedure with them, or registered the document by a signature, the systems of the organization that brought it and its employees with `documentsAccess`, whoever called `POST /api/{id}/notify`. Mails are forgotten 14 days after they were sent, or 60 after they failed.',
    params: DocumentParams,
    query: MailRecordQuery,
    answer: DocumentNotifications,
    refuses: ['accessDenied', 'authenticationRequired', 'documentNotFound', 'invalidDocumentIdentifier'],
  })
  static readonly inject = {
    documents: DocumentStore,
    access: DocumentAccess,
    record: MailRecord,
  }

  constructor(private readonly use: Injected<typeof ListDocumentMails.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, query = {} }: Input<typeof ListDocumentMails.operation>,
  ): Promise<DocumentNotifications> {
    const { access, record } = this.use
    const { dataSecret, until } = query
    const document = await this.use.documents.get(documentId)
    const askers = await record.askersOf(caller, {
      packageId: document.packageId,
      dataSecret,
      right: 'documentsAccess',
      assertMayView: () => access.assertMay('view', caller, document),
    })
    return { documentId, notifications: await record.page(documentId, askers, until) }
  }
}
