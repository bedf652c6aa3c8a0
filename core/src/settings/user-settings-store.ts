import { Database } from '../database/database.js'
import { isUniqueViolation } from '../database/dialect.js'
import { isEmailAddress } from '../notifications/index.js'
import { ArchiveAccounts } from './archive-accounts.js'
import type { UserChoices, UserSettings } from './schema.js'

/** What a user chose, and when. */
export interface StoredUserSettings {
  readonly choices: UserChoices
  /** Milliseconds; 0 when never saved. */
  readonly modifiedAt: number
}

const COLUMNS = [
  'email_notifications_enabled',
  'email_notifications_routing_enabled',
  'email',
  'data_archive_enabled',
  'data_archive_contact_email',
  'modified_at',
] as const

interface Row {
  email_notifications_enabled: number
  email_notifications_routing_enabled: number
  email: string
  data_archive_enabled: number
  data_archive_contact_email: string
  modified_at: number
}

const newChoices = (email: string | undefined): UserChoices => ({
  emailNotificationsEnabled: false,
  emailNotificationsRoutingEnabled: false,
  email: email !== undefined && isEmailAddress(email) ? email : '',
  dataArchiveEnabled: false,
  dataArchiveContactEmail: '',
})

/** Keeps the settings of users. */
export class UserSettingsStore {
  static readonly inject = [Database, ArchiveAccounts] as const

  constructor(
    private readonly database: Database,
    private readonly accounts: ArchiveAccounts,
  ) {}

  /** The settings of an IIN; those of a newcomer where there are none yet. */
  async get(iin: string): Promise<UserSettings> {
    const { choices, modifiedAt } = (await this.#read(iin)) ?? { choices: newChoices(undefined), modifiedAt: 0 }
    return { userId: iin, ...choices, ...(await this.accounts.get(iin)), modifiedAt }
  }

  /**
   * Makes settings at the first sight of an IIN, with notifications off, and answers them only then.
   * Of two transactions that race, one makes them and the other waits for it.
   */
  async ensure(iin: string, { email }: { email?: string | undefined }, at: number): Promise<UserSettings | undefined> {
    if ((await this.#read(iin)) !== undefined || !(await this.#insert(iin, newChoices(email), at))) return undefined
    return this.get(iin)
  }

  /** The settings of an IIN, made where there are none, which no other transaction can change until this one ends. */
  async lock(iin: string, at: number): Promise<StoredUserSettings> {
    const known = await this.#read(iin, true)
    if (known !== undefined) return known
    await this.#insert(iin, newChoices(undefined), at)
    return (await this.#read(iin, true)) ?? this.lock(iin, at)
  }

  /** Saves settings that are locked. */
  async save(iin: string, choices: UserChoices, at: number): Promise<void> {
    await this.database
      .query('registry_user_settings')
      .where({ iin })
      .update({ ...toRow(choices), modified_at: at })
  }

  async #insert(iin: string, choices: UserChoices, at: number): Promise<boolean> {
    const row = { iin, ...toRow(choices), created_at: at, modified_at: 0 }
    try {
      await this.database.query('registry_user_settings').insert(row)
      return true
    } catch (error) {
      if (isUniqueViolation(error)) return false
      throw error
    }
  }

  async #read(iin: string, lock = false): Promise<StoredUserSettings | undefined> {
    const query = this.database
      .query('registry_user_settings')
      .where({ iin })
      .first(...COLUMNS)
    const row: Row | undefined = await (lock ? query.forUpdate() : query)
    if (row === undefined) return undefined
    return {
      choices: {
        emailNotificationsEnabled: Boolean(row.email_notifications_enabled),
        emailNotificationsRoutingEnabled: Boolean(row.email_notifications_routing_enabled),
        email: row.email,
        dataArchiveEnabled: Boolean(row.data_archive_enabled),
        dataArchiveContactEmail: row.data_archive_contact_email,
      },
      modifiedAt: Number(row.modified_at),
    }
  }
}

const toRow = (choices: UserChoices) => ({
  email_notifications_enabled: choices.emailNotificationsEnabled,
  email_notifications_routing_enabled: choices.emailNotificationsRoutingEnabled,
  email: choices.email,
  data_archive_enabled: choices.dataArchiveEnabled,
  data_archive_contact_email: choices.dataArchiveContactEmail,
})
