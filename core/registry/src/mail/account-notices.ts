import type { RegistryEvent } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationStore } from '../organizations/index.js'
import { UserSettingsStore } from '../settings/index.js'
import type { Notice } from './notices.js'

type ItemEvent = Extract<RegistryEvent, { itemId: string }>
type QuotaEvent = Extract<RegistryEvent, { type: 'archiveQuotaExceeded' | 'archiveQuotaExpired' }>
type PauseEvent = Extract<RegistryEvent, { type: 'webhookPaused' }>

const isOrganization = (owner: string): boolean => owner.startsWith('BIN')

/** Says who is told by the addresses in settings: of items, of archive quotas (mail types 4 and 5) and of what else an owner must know. */
export class AccountNotices {
  static readonly inject = { users: UserSettingsStore, organizations: OrganizationStore }

  constructor(private readonly use: Injected<typeof AccountNotices.inject>) {}

  /** The party that did not do it itself. */
  async ofItem(event: ItemEvent): Promise<Notice[]> {
    const { type, eventId, itemId, subject, status, sender, receiver, author } = event
    const kind = kindOf(type, status)
    if (kind === undefined) return []
    const toReceiver = type === 'itemDelivered' || (type === 'itemCommented' && author === sender)
    const [owner, party] = toReceiver ? [receiver, sender] : [sender, receiver]
    const to = await this.routingAddress(owner)
    return to === '' ? [] : [{ to, owner, eventId, news: { kind, itemId, subject, party } }]
  }

  async ofQuota({ type: kind, eventId, owner }: QuotaEvent): Promise<Notice[]> {
    const { dataArchiveContactEmail: to } = isOrganization(owner)
      ? (await this.use.organizations.choices.get(owner)).choices
      : (await this.use.users.choices.get(owner)).choices
    return to === '' ? [] : [{ to, owner, eventId, news: { kind, owner } }]
  }

  /** Who looks after incoming and outgoing items where the address is for those, else who looks after the subscription. */
  async ofPause({ type: kind, eventId, businessId: owner, url }: PauseEvent): Promise<Notice[]> {
    const { choices } = await this.use.organizations.choices.get(owner)
    const { webhooks, routingContactEmail, subscriptionContactEmail } = choices
    const isForItems = webhooks.routingUrls.includes(url) && !webhooks.urls.includes(url)
    const to = (isForItems && routingContactEmail) || subscriptionContactEmail || routingContactEmail
    return to === '' ? [] : [{ to, owner, eventId, news: { kind, owner, url } }]
  }

  private async routingAddress(owner: string): Promise<string> {
    if (isOrganization(owner)) return (await this.use.organizations.choices.get(owner)).choices.routingContactEmail
    const { emailNotificationsRoutingEnabled, email } = (await this.use.users.choices.get(owner)).choices
    return emailNotificationsRoutingEnabled ? email : ''
  }
}

function kindOf(type: ItemEvent['type'], status: ItemEvent['status']) {
  if (type === 'itemDelivered') return 'itemReceived'
  if (type === 'itemCommented') return 'itemCommented'
  if (type === 'itemFailed') return 'itemFailed'
  if (type === 'itemDecided') return status === 'accepted' ? 'itemAccepted' : 'itemDenied'
  return undefined
}
