import type { NewDelivery } from '../deliveries/index.js'
import { type DocumentRecord, DocumentStore } from '../documents/index.js'
import type { EventSubscriber, RegistryEvent } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, organizationOfPayer, sendable, spelling } from '../notifications/index.js'
import { OrganizationStore } from '../organizations/index.js'
import { PackageStore } from '../packages/index.js'
import { UserSettingsStore } from '../settings/index.js'
import { MailLanguage } from './limits.js'
import { MAIL_CHANNEL } from './mail-channel.js'
import { Mailer } from './mailer.js'
import { isBySettings, type MailPayload } from './news.js'
import { type Notice, noticesFor, STRANGER } from './notices.js'
import { RegisteredAddresses } from './registered-addresses.js'
import { inLanguage, RoutingAddresses } from './routing-addresses.js'
import { SignatureNotices } from './signature-notices.js'
import { TurnNotices } from './turn-notices.js'

/** All mail goes to one server: while it is unreachable, every mail waits. */
const SERVER = 'mail server'

/** Makes one delivery per recipient, so that nobody sees the other addresses or gets a mail twice. */
export class MailDeliveries {
  static readonly inject = { language: MailLanguage, budget: MailBudget }

  constructor(private readonly use: Injected<typeof MailDeliveries.inject>) {}

  /** Of several notices of one event to one address (in any spelling) the first counts. */
  of(notices: readonly Notice[]): NewDelivery[] {
    const told = new Map<string, Notice[]>()
    for (const notice of notices) {
      const once = `${notice.eventId} ${spelling(notice.to)}`
      told.set(once, [...(told.get(once) ?? []), notice])
    }
    return [...told.values()].flatMap(([first, ...others]) => {
      if (first === undefined) return []
      const { to, language = this.use.language, owner, eventId, askedBy, news } = first
      const otherwise = isBySettings(news) ? undefined : others.find((one) => isBySettings(one.news))?.news
      const isOfKnown = askedBy !== undefined && this.use.budget.isKnown(organizationOfPayer(askedBy))
      const isOfStranger = askedBy === STRANGER
      const by = { ...(isOfKnown && { isOfKnown }), ...(isOfStranger && { isOfStranger }) }
      const payload: MailPayload = { to: sendable(to), language, news, ...(otherwise && { otherwise }), ...by }
      return [{ channel: MAIL_CHANNEL, target: SERVER, owner, eventId, askedBy, payload }]
    })
  }
}

/** Finds the recipients of mails about completed registrations (mail types 1, 6 and 7). */
export class RegistrationNotices {
  static readonly inject = { packages: PackageStore, registered: RegisteredAddresses }

  constructor(private readonly use: Injected<typeof RegistrationNotices.inject>) {}

  async ofDocument(eventId: string, document: DocumentRecord): Promise<Notice[]> {
    const { id: documentId } = document
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

type ItemEvent = Extract<RegistryEvent, { itemId: string }>
type QuotaEvent = Extract<RegistryEvent, { type: 'archiveQuotaExceeded' | 'archiveQuotaExpired' }>
type PauseEvent = Extract<RegistryEvent, { type: 'webhookPaused' }>

const isOrganization = (owner: string): boolean => owner.startsWith('BIN')

/** Finds recipients by the addresses in settings: mails about items, archive quotas (types 4 and 5) and paused webhooks. */
export class AccountNotices {
  static readonly inject = { users: UserSettingsStore, organizations: OrganizationStore, addresses: RoutingAddresses }

  constructor(private readonly use: Injected<typeof AccountNotices.inject>) {}

  /** Tells the other party. */
  async ofItem(event: ItemEvent): Promise<Notice[]> {
    const { eventId, itemId, subject, sender, receiver, author, comment } = event
    const kind = kindOf(event)
    if (kind === undefined) return []
    const toReceiver = TO_RECEIVER.has(kind) || (kind === 'itemCommented' && author === sender)
    const [owner, party] = toReceiver ? [receiver, sender] : [sender, receiver]
    const address = await this.use.addresses.of(owner, kind)
    const side = toReceiver ? 'incoming' : 'outgoing'
    if (address === undefined) return []
    return [{ ...address, owner, eventId, news: { kind, itemId, subject, side, party, comment } }]
  }

  async ofQuota({ type: kind, eventId, owner }: QuotaEvent): Promise<Notice[]> {
    const { dataArchiveContactEmail: to, language } = await this.quotaContact(owner)
    return to === '' ? [] : [{ to, ...inLanguage(language), owner, eventId, news: { kind, owner } }]
  }

  private async quotaContact(owner: string) {
    if (isOrganization(owner)) return { ...(await this.use.organizations.choices.get(owner)).choices, language: '' }
    const { choices } = await this.use.users.choices.get(owner)
    return { ...choices, language: choices.notificationsLanguage }
  }

  /** The contact for items where the webhook is only for those, else the contact for the subscription. */
  async ofPause({ type: kind, eventId, businessId: owner, url }: PauseEvent): Promise<Notice[]> {
    const { choices } = await this.use.organizations.choices.get(owner)
    const { webhooks, routingContactEmail, subscriptionContactEmail } = choices
    const isForItems = webhooks.routingUrls.includes(url) && !webhooks.urls.includes(url)
    const to = (isForItems && routingContactEmail) || subscriptionContactEmail || routingContactEmail
    return to === '' ? [] : [{ to, owner, eventId, news: { kind, owner, url } }]
  }
}

const TO_RECEIVER: ReadonlySet<string> = new Set(['itemReceived', 'itemToSign', 'itemReminded', 'itemRecalled'])

function kindOf({ type, status, toSign, isDelivered }: ItemEvent) {
  if (type === 'itemDelivered') return toSign ? 'itemToSign' : 'itemReceived'
  if (type === 'itemReminded') return type
  // What waited was never seen by its receiver.
  if (type === 'itemRecalled') return isDelivered ? type : undefined
  if (type === 'itemCommented') return 'itemCommented'
  if (type === 'itemFailed') return 'itemFailed'
  if (type === 'itemDecided') return status === 'accepted' ? 'itemAccepted' : 'itemDenied'
  return undefined
}

/** Turns events into mails (specification, "E-mail notifications"). */
export class MailSubscriber implements EventSubscriber {
  static readonly inject = {
    mailer: Mailer,
    documents: DocumentStore,
    registrations: RegistrationNotices,
    signatures: SignatureNotices,
    accounts: AccountNotices,
    turns: TurnNotices,
    deliveries: MailDeliveries,
  }

  constructor(private readonly use: Injected<typeof MailSubscriber.inject>) {}

  async deliveriesFor(events: readonly RegistryEvent[]): Promise<readonly NewDelivery[]> {
    if (this.use.mailer === undefined) return []
    const registered = new Set(events.flatMap((event) => (event.type === 'documentRegistered' ? event.documentId : [])))
    // A registration's first signature is covered by the mail about the completed registration.
    const signatures = events.filter((event) => event.type === 'signatureRegistered')
    const later = signatures.filter(({ documentId }) => !registered.has(documentId))
    const notices = later.length === 0 ? [] : await this.use.signatures.ofSignatures(later)
    if (later.length > 0) notices.push(...(await this.use.turns.ofSignatures(later)))
    for (const event of events) notices.push(...(await this.noticesOf(event)))
    return notices.length === 0 ? [] : this.use.deliveries.of(notices)
  }

  private async ofCompleted({ eventId, documentId }: { eventId: string; documentId: string }): Promise<Notice[]> {
    const document = await this.use.documents.get(documentId)
    const told = await this.use.registrations.ofDocument(eventId, document)
    return [...told, ...(await this.use.turns.ofCompleted(eventId, document))]
  }

  private async noticesOf(event: RegistryEvent): Promise<Notice[]> {
    if ('itemId' in event) return this.use.accounts.ofItem(event)
    switch (event.type) {
      case 'documentCompleted':
        // Documents of a package are covered by the mail about the completed package.
        return event.packageId === undefined ? this.ofCompleted(event) : []
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
