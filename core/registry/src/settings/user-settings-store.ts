import { Database } from '../database/database.js'
import { flag, table, text } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { isEmailAddress } from '../notifications/index.js'
import { ArchiveAccounts } from './archive-accounts.js'
import { ChoicesStore } from './choices-store.js'
import type { UserChoices, UserSettings } from './schema.js'

const choicesTable = table('registry_user_settings', {
  emailNotificationsEnabled: flag('email_notifications_enabled'),
  emailNotificationsRoutingEnabled: flag('email_notifications_routing_enabled'),
  email: text('email'),
  dataArchiveEnabled: flag('data_archive_enabled'),
  dataArchiveContactEmail: text('data_archive_contact_email'),
})

/** Keeps the settings of users. */
export class UserSettingsStore {
  static readonly inject = { database: Database, accounts: ArchiveAccounts }
  readonly choices: ChoicesStore<UserChoices>

  constructor(private readonly use: Injected<typeof UserSettingsStore.inject>) {
    this.choices = new ChoicesStore(use.database, {
      name: choicesTable.name,
      owner: 'iin',
      columns: choicesTable.columns,
      row: (choices) => choicesTable.row(choices),
      read: (row) => choicesTable.read(row),
      newcomer: (email) => ({
        emailNotificationsEnabled: false,
        emailNotificationsRoutingEnabled: false,
        email: email !== undefined && isEmailAddress(email) ? email : '',
        dataArchiveEnabled: false,
        dataArchiveContactEmail: '',
      }),
    })
  }

  /** The settings of an IIN; those of a newcomer where there are none yet. */
  async get(iin: string): Promise<UserSettings> {
    const { choices, modifiedAt } = await this.choices.get(iin)
    return { userId: iin, ...choices, ...(await this.use.accounts.get(iin)), modifiedAt }
  }

  /** Makes settings at the first sight of an IIN, with notifications off, and answers them only then. */
  async ensure(iin: string, { email }: { email?: string | undefined }, at: number): Promise<UserSettings | undefined> {
    return (await this.choices.ensure(iin, email, at)) ? this.get(iin) : undefined
  }
}
