import { DocumentStore, SignatureStore } from '../documents/index.js'
import type { RegistryEvent } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { PackageStore } from '../packages/index.js'
import { type Notice, noticesFor } from './notices.js'

/** Says who is told of a registration that is complete (mail types 1, 6 and 7). */
export class RegistrationNotices {
  static readonly inject = { documents: DocumentStore, signatures: SignatureStore, packages: PackageStore }

  constructor(private readonly use: Injected<typeof RegistrationNotices.inject>) {}

  async ofDocument({
    eventId,
    documentId,
    packageId,
  }: Extract<RegistryEvent, { type: 'documentCompleted' }>): Promise<Notice[]> {
    // Of the documents of a package its completion tells.
    if (packageId !== undefined) return []
    const { emailNotifications: asked, signaturesTotal, registrator } = await this.use.documents.get(documentId)
    if (asked === undefined) return []
    const kind = signaturesTotal === 0 ? 'documentPreregistered' : 'documentSigned'
    const news = { kind, documentId, attach: asked.doNotAttachDocument ? 'none' : 'passing' } as const
    const [first] = registrator ? [] : await this.use.signatures.page(documentId, 0, 1)
    const askedBy = registrator?.bin ?? first?.facts.businessId
    return noticesFor(asked, { owner: documentId, eventId, askedBy, news })
  }

  async ofPackage({ eventId, packageId }: Extract<RegistryEvent, { type: 'packageCompleted' }>): Promise<Notice[]> {
    const { emailNotifications: asked, documentsIds, ...registered } = await this.use.packages.get(packageId)
    if (asked === undefined) return []
    const news = {
      kind: 'packageRegistered',
      packageId,
      attach: asked.doNotAttachDocuments ? [] : documentsIds,
    } as const
    const askedBy = (registered.registrator ?? registered.registeredBy)?.bin
    return noticesFor(asked, { owner: packageId, eventId, askedBy, news })
  }
}
