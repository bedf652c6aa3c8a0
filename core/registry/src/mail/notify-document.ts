import Type, { type Static } from 'typebox'
import { checkEmailNotifications, DocumentParams, EmailNotifications, onDocument } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { type Admitted, keepNothing, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { AskedMails } from './asked-mails.js'
import { MailOutlook } from './mail-outlook.js'

/** Request of `POST /api/{id}/notify`. */
export const NotifyDocumentRequest = Type.Object(
  { emailNotifications: EmailNotifications },
  { $id: 'NotifyDocumentRequest' },
)
export type NotifyDocumentRequest = Static<typeof NotifyDocumentRequest>

/** Answer fields of a request for mail. */
export const Notified = Type.Object({
  attached: Type.Boolean({ description: 'originals go with the mails, as far as is known now' }),
})

/** Answer of `POST /api/{id}/notify`. */
export const NotifiedDocument = Type.Object(
  { documentId: Type.String(), emailNotifications: Notified },
  { $id: 'NotifiedDocument' },
)
export type NotifiedDocument = Static<typeof NotifiedDocument>

/** Sends mail about a document at any time (specification, `POST /api/{id}/notify`). */
export class NotifyDocument {
  static readonly operation = operation({
    id: 'notifyDocument',
    group: 'documents',
    at: 'POST /:id/notify',
    who: onDocument('act'),
    summary: 'Send mail about a document',
    description:
      'To the addresses in the request, at any time. Whoever may act on the document may call it. The original goes along from archive or temporary storage.',
    params: DocumentParams,
    request: NotifyDocumentRequest,
    answer: NotifiedDocument,
    idempotent: true,
    refuses: [
      'invalidNotificationEmail',
      'invalidNotificationLanguage',
      'mailLimitReached',
      'tooManyNotificationEmails',
    ],
  })
  static readonly inject = { outlook: MailOutlook, mails: AskedMails, limits: Limits }

  constructor(private readonly use: Injected<typeof NotifyDocument.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, document, request, keep = keepNothing }: Admitted<typeof NotifyDocument.operation>,
  ): Promise<NotifiedDocument> {
    const { emailNotifications: asked } = request
    checkEmailNotifications(asked, this.use.limits)
    this.use.mails.assertAvailable()
    const kind = document.signaturesTotal === 0 ? 'documentPreregistered' : 'documentSigned'
    const news = { kind, documentId, attach: asked.doNotAttachDocument ? 'none' : 'stored' } as const
    const wanted = asked.doNotAttachDocument || asked.to.length === 0 ? [] : [documentId]
    const { attached } = await this.use.outlook.of(wanted)
    return this.use.mails.send(caller, asked, { owner: documentId, news }, () =>
      keep({ documentId, emailNotifications: { attached } }),
    )
  }
}
