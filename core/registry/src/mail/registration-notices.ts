import { DocumentStore } from '../documents/index.js'
import type { RegistryEvent } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { PackageStore } from '../packages/index.js'
import { type Notice, noticesFor } from './notices.js'
import { RegisteredAddresses } from './registered-addresses.js'

/** Says who is told of a registration that is complete (mail types 1, 6 and 7). */
export class RegistrationNotices {
  static readonly inject = { documents: DocumentStore, packages: PackageStore, registered: RegisteredAddresses }

  constructor(private readonly use: Injected<typeof RegistrationNotices.inject>) {}

  async ofDocument({
    eventId,
    documentId,
    packageId,
  }: Extract<RegistryEvent, { type: 'documentCompleted' }>): Promise<Notice[]> {
    // Of the documents of a package its completion tells.
    if (packageId !== undefined) return []
    const document = await this.use.documents.get(documentId)
    const registered = await this.use.registered.ofDocument(document)
    if (registered === undefined) return []
    const { asked, withoutOriginals, askedBy } = registered
    const kind = document.signaturesTotal === 0 ? 'documentPreregistered' : 'documentSigned'
    const news = { kind, documentId, attach: withoutOriginals ? 'none' : 'passing' } as const
    return noticesFor(asked, { owner: documentId, eventId, askedBy, news })
  }

  async ofPackage({ eventId, packageId }: Extract<RegistryEvent, { type: 'packageCompleted' }>): Promise<Notice[]> {
    const completed = await this.use.packages.get(packageId)
    const registered = this.use.registered.ofPackage(completed)
    if (registered === undefined) return []
    const { asked, withoutOriginals, askedBy } = registered
    const attach = withoutOriginals ? [] : completed.documentsIds
    const news = { kind: 'packageRegistered', packageId, attach } as const
    return noticesFor(asked, { owner: packageId, eventId, askedBy, news })
  }
}
