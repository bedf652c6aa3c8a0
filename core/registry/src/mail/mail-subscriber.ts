import type { NewDelivery } from '../deliveries/index.js'
import type { EventSubscriber, RegistryEvent } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { AccountNotices } from './account-notices.js'
import { MailDeliveries } from './mail-deliveries.js'
import { Mailer } from './mailer.js'
import type { Notice } from './notices.js'
import { RegistrationNotices } from './registration-notices.js'
import { SignatureNotices } from './signature-notices.js'

/** Says which mails events cause (specification, "E-mail notifications"). */
export class MailSubscriber implements EventSubscriber {
  static readonly inject = {
    mailer: Mailer,
    registrations: RegistrationNotices,
    signatures: SignatureNotices,
    accounts: AccountNotices,
    deliveries: MailDeliveries,
  }

  constructor(private readonly use: Injected<typeof MailSubscriber.inject>) {}

  async deliveriesFor(events: readonly RegistryEvent[]): Promise<readonly NewDelivery[]> {
    if (this.use.mailer === undefined) return []
    const registered = new Set(events.flatMap((event) => (event.type === 'documentRegistered' ? event.documentId : [])))
    // The first signature of a registration is told of when the registration is complete.
    const signatures = events.filter((event) => event.type === 'signatureRegistered')
    const later = signatures.filter(({ documentId }) => !registered.has(documentId))
    const notices = later.length === 0 ? [] : await this.use.signatures.ofSignatures(later)
    for (const event of events) notices.push(...(await this.noticesOf(event)))
    return notices.length === 0 ? [] : this.use.deliveries.of(notices)
  }

  private async noticesOf(event: RegistryEvent): Promise<Notice[]> {
    if ('itemId' in event) return this.use.accounts.ofItem(event)
    switch (event.type) {
      case 'documentCompleted':
        return this.use.registrations.ofDocument(event)
      case 'packageCompleted':
        return this.use.registrations.ofPackage(event)
      case 'packageSigned':
        return this.use.signatures.ofPackage(event)
      case 'archiveQuotaExceeded':
      case 'archiveQuotaExpired':
        return this.use.accounts.ofQuota(event)
      case 'webhookPaused':
        return this.use.accounts.ofPause(event)
      default:
        return []
    }
  }
}
