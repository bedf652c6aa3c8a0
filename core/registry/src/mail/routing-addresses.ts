import type { Injected } from '../kernel/service.js'
import { OrganizationStore } from '../organizations/index.js'
import { type NotificationKind, UserSettingsStore } from '../settings/index.js'
import type { News } from './news.js'

type Routed = Extract<News, { itemId: string } | { kind: 'signerTurn' }>['kind']

/** What a person turns off to get no such mail. */
const KINDS: Readonly<Record<Routed, NotificationKind>> = {
  itemReceived: 'received',
  itemToSign: 'received',
  itemReminded: 'reminders',
  itemRecalled: 'reminders',
  itemCommented: 'comments',
  itemAccepted: 'decisions',
  itemDenied: 'decisions',
  itemFailed: 'decisions',
  signerTurn: 'turns',
}

/** Where to write, and in which language if the recipient has chosen one. */
export interface SettingsAddress {
  readonly to: string
  readonly language?: string
}

/** Finds where parties are told of items and of their turn to sign. */
export class RoutingAddresses {
  static readonly inject = { users: UserSettingsStore, organizations: OrganizationStore }

  constructor(private readonly use: Injected<typeof RoutingAddresses.inject>) {}

  /** The address in the settings of a party (IIN or BIN); `undefined` where it wants no such mail. */
  async of(party: string, kind: Routed): Promise<SettingsAddress | undefined> {
    if (party.startsWith('BIN')) {
      const { routingContactEmail: to } = (await this.use.organizations.choices.get(party)).choices
      return to === '' ? undefined : { to }
    }
    const { choices } = await this.use.users.choices.get(party)
    const { emailNotificationsRoutingEnabled, notificationsOff, notificationsLanguage, email } = choices
    const isWanted = emailNotificationsRoutingEnabled && !notificationsOff.includes(KINDS[kind])
    return isWanted && email !== '' ? { to: email, ...inLanguage(notificationsLanguage) } : undefined
  }
}

/** The language of a mail by settings, where one was chosen. */
export const inLanguage = (language: string): { readonly language?: string } => (language === '' ? {} : { language })
