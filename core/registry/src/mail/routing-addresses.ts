import type { Injected } from '../kernel/service.js'
import { OrganizationStore } from '../organizations/index.js'
import { UserSettingsStore } from '../settings/index.js'

/** Finds where parties are told of items and of their turn to sign. */
export class RoutingAddresses {
  static readonly inject = { users: UserSettingsStore, organizations: OrganizationStore }

  constructor(private readonly use: Injected<typeof RoutingAddresses.inject>) {}

  /** The address in the settings of a party (IIN or BIN); empty where it wants no such mail. */
  async of(party: string): Promise<string> {
    if (party.startsWith('BIN')) return (await this.use.organizations.choices.get(party)).choices.routingContactEmail
    const { emailNotificationsRoutingEnabled, email } = (await this.use.users.choices.get(party)).choices
    return emailNotificationsRoutingEnabled ? email : ''
  }
}
