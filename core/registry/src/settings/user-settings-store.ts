import type { Knex } from 'knex'
import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { type Column, flag, table, text } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { isEmailAddress } from '../notifications/index.js'
import { ArchiveAccounts } from './archive-accounts.js'
import { NOTIFICATION_KINDS, type NotificationKind, type UserChoices, type UserSettings } from './schema.js'

/** An owner's choices, and when they were saved. */
interface StoredChoices<C> {
  readonly choices: C
  /** Milliseconds; 0 when never saved. */
  readonly modifiedAt: number
}

/** A table of choices, one row for each owner, with the columns `created_at` and `modified_at`. */
interface ChoicesTable<C> {
  readonly name: string
  /** Column of the owner. */
  readonly owner: string
  readonly columns: readonly string[]
  row(choices: C): Readonly<Record<string, Knex.Value>>
  read(row: Readonly<Record<string, unknown>>): C
  /** Defaults for an unknown owner. */
  newcomer(email: string | undefined): C
}

/** Stores the choices of owners (users, organizations). */
export class ChoicesStore<C> {
  constructor(
    private readonly database: Database,
    private readonly table: ChoicesTable<C>,
  ) {}

  /** The choices of an owner; defaults where none are stored. */
  async get(owner: string): Promise<StoredChoices<C>> {
    return (await this.find(owner)) ?? { choices: this.table.newcomer(undefined), modifiedAt: 0 }
  }

  /** Stores defaults for an unknown owner; false for a known one. A concurrent transaction waits for the new row. */
  async ensure(owner: string, email: string | undefined, at: number): Promise<boolean> {
    if (await this.rowOf(owner).first(this.table.owner)) return false
    return this.insert(owner, this.table.newcomer(email), at)
  }

  /** Creates an owner's choices if there are none and locks them for this transaction. */
  async lock(owner: string, at: number): Promise<StoredChoices<C>> {
    const known = await this.find(owner, true)
    if (known !== undefined) return known
    await this.insert(owner, this.table.newcomer(undefined), at)
    return (await this.find(owner, true)) ?? this.lock(owner, at)
  }

  /** Saves choices that are locked. */
  async save(owner: string, choices: C, at: number): Promise<void> {
    await this.rowOf(owner).update({ ...this.table.row(choices), modified_at: at })
  }

  private insert(owner: string, choices: C, at: number): Promise<boolean> {
    const row = { [this.table.owner]: owner, ...this.table.row(choices), created_at: at, modified_at: 0 }
    return insertOrLose(this.database.query(this.table.name).insert(row))
  }

  private async find(owner: string, lock = false): Promise<StoredChoices<C> | undefined> {
    const query = this.rowOf(owner).first(...this.table.columns, 'modified_at')
    const row = await (lock ? query.forUpdate() : query)
    return row && { choices: this.table.read(row), modifiedAt: Number(row.modified_at) }
  }

  private rowOf(owner: string) {
    return this.database.query(this.table.name).where(this.table.owner, owner)
  }
}

/** Kinds of mail, separated by commas. */
const kinds = (column: string): Column<NotificationKind[]> => ({
  column,
  write: (value) => value.join(','),
  read: (kept) => NOTIFICATION_KINDS.filter((kind) => String(kept).split(',').includes(kind)),
})

const choicesTable = table('registry_user_settings', {
  emailNotificationsEnabled: flag('email_notifications_enabled'),
  emailNotificationsRoutingEnabled: flag('email_notifications_routing_enabled'),
  email: text('email'),
  notificationsLanguage: text('notifications_language'),
  notificationsOff: kinds('notifications_off'),
  dataArchiveEnabled: flag('data_archive_enabled'),
  dataArchiveContactEmail: text('data_archive_contact_email'),
})

/** Stores the settings of users. */
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
        notificationsLanguage: '',
        notificationsOff: [],
        dataArchiveEnabled: false,
        dataArchiveContactEmail: '',
      }),
    })
  }

  /** The settings of an IIN; defaults where none are stored. */
  async get(iin: string): Promise<UserSettings> {
    const { choices, modifiedAt } = await this.choices.get(iin)
    return { userId: iin, ...choices, ...(await this.use.accounts.get(iin)), modifiedAt }
  }

  /** Creates settings, with notifications off, when an IIN is first seen; answers them only then. */
  async ensure(iin: string, { email }: { email?: string | undefined }, at: number): Promise<UserSettings | undefined> {
    return (await this.choices.ensure(iin, email, at)) ? this.get(iin) : undefined
  }
}
