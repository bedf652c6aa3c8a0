import Type, { type Static } from 'typebox'
import { checkEmailNotifications, DocumentAccess, DocumentStore } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { type Admitted, keepNothing, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { onPackage, PackageEmailNotifications, PackageParams } from '../packages/index.js'
import { AskedMails } from './asked-mails.js'
import { MailOutlook } from './mail-outlook.js'
import { Notified } from './notify-document.js'

/** Request of `POST /api/package/{packageId}/notify`. */
export const NotifyPackageRequest = Type.Object(
  { emailNotifications: PackageEmailNotifications },
  { $id: 'NotifyPackageRequest' },
)
export type NotifyPackageRequest = Static<typeof NotifyPackageRequest>

/** Answer of `POST /api/package/{packageId}/notify`. */
export const NotifiedPackage = Type.Object(
  { packageId: Type.String(), emailNotifications: Notified },
  { $id: 'NotifiedPackage' },
)
export type NotifiedPackage = Static<typeof NotifiedPackage>

/** Sends mail about a package at any time (specification, `POST /api/package/{packageId}/notify`). */
export class NotifyPackage {
  static readonly operation = operation({
    id: 'notifyPackage',
    group: 'packages',
    at: 'POST /package/:packageId/notify',
    who: onPackage('act', { more: '; of its documents originals go out that the caller may read' }),
    summary: 'Send mail about a package',
    description:
      'To the addresses in the request, at any time. Whoever may act on the package may call it; originals go along of those documents that the caller may read.',
    params: PackageParams,
    request: NotifyPackageRequest,
    answer: NotifiedPackage,
    idempotent: true,
    refuses: [
      'invalidNotificationEmail',
      'invalidNotificationLanguage',
      'mailLimitReached',
      'tooManyNotificationEmails',
    ],
  })
  static readonly inject = {
    documents: DocumentStore,
    documentAccess: DocumentAccess,
    outlook: MailOutlook,
    mails: AskedMails,
    limits: Limits,
  }

  constructor(private readonly use: Injected<typeof NotifyPackage.inject>) {}

  async execute(
    caller: Caller,
    { packageId, found, request, keep = keepNothing }: Admitted<typeof NotifyPackage.operation>,
  ): Promise<NotifiedPackage> {
    const { emailNotifications: asked } = request
    checkEmailNotifications(asked, this.use.limits)
    this.use.mails.assertAvailable()
    const attach = asked.doNotAttachDocuments ? [] : await this.readable(caller, found.documentsIds)
    const news = { kind: 'packageRegistered', packageId, attach } as const
    const { attached } = await this.use.outlook.of(asked.to.length > 0 ? attach : [])
    return this.use.mails.send(caller, asked, { owner: packageId, news }, () =>
      keep({ packageId, emailNotifications: { attached } }),
    )
  }

  /** Access to a package gives no access to its documents: only those that the caller may read are attached. */
  private async readable(caller: Caller, documentsIds: readonly string[]): Promise<string[]> {
    const readable: string[] = []
    for (const document of await this.use.documents.getAll(documentsIds)) {
      if (await this.use.documentAccess.may('readData', caller, document)) readable.push(document.id)
    }
    return readable
  }
}
