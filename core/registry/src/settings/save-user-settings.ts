import Type, { type Static } from 'typebox'
import { AuditStore } from '../audit/index.js'
import { Database } from '../database/database.js'
import { type Employee, type Person, people } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { checkArchiveContact, checkEmails } from './check-emails.js'
import { UserChoices } from './schema.js'
import { UserSettingsStore } from './user-settings-store.js'

/** Request of `POST /api/settings`; an omitted field keeps its value. */
export const SaveUserSettingsRequest = Type.Partial(UserChoices, { $id: 'SaveUserSettingsRequest' })
export type SaveUserSettingsRequest = Static<typeof SaveUserSettingsRequest>

/** Answer of `POST /api/settings`. */
export const SavedUserSettings = Type.Object(
  { userId: Type.String(), modifiedAt: Type.Integer() },
  { $id: 'SavedUserSettings' },
)
export type SavedUserSettings = Static<typeof SavedUserSettings>

/** Changes the settings of the calling user; an omitted field keeps its value (specification, `POST /api/settings`). */
export class SaveUserSettings {
  static readonly operation = operation({
    id: 'saveUserSettings',
    group: 'settings',
    at: 'POST /settings',
    who: people,
    summary: 'Change your settings; omitted fields keep their values',
    description: 'Takes effect at once; each change is kept in the audit.',
    request: SaveUserSettingsRequest,
    answer: SavedUserSettings,
    refuses: ['invalidNotificationEmail'],
  })
  static readonly inject = { settings: UserSettingsStore, audit: AuditStore, database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof SaveUserSettings.inject>) {}

  async execute(
    { iin: userId }: Person | Employee,
    { request }: Input<typeof SaveUserSettings.operation>,
  ): Promise<SavedUserSettings> {
    const { email, dataArchiveContactEmail } = request
    checkEmails({ email, dataArchiveContactEmail })

    return this.use.database.transaction(async () => {
      const modifiedAt = this.use.clock.now()
      const { choices: original } = await this.use.settings.choices.lock(userId, modifiedAt)
      const modified = changed(original, request)
      checkArchiveContact(modified)
      await this.use.settings.choices.save(userId, modified, modifiedAt)
      await this.use.audit.append({ ownerKind: 'user', ownerId: userId, original, modified, modifiedAt })
      return { userId, modifiedAt }
    })
  }
}

// Field by field, so that unknown fields of a request are not stored.
const changed = (before: UserChoices, given: SaveUserSettingsRequest): UserChoices => ({
  emailNotificationsEnabled: given.emailNotificationsEnabled ?? before.emailNotificationsEnabled,
  emailNotificationsRoutingEnabled: given.emailNotificationsRoutingEnabled ?? before.emailNotificationsRoutingEnabled,
  email: given.email ?? before.email,
  notificationsLanguage: given.notificationsLanguage ?? before.notificationsLanguage,
  notificationsOff: [...new Set(given.notificationsOff ?? before.notificationsOff)],
  dataArchiveEnabled: given.dataArchiveEnabled ?? before.dataArchiveEnabled,
  dataArchiveContactEmail: given.dataArchiveContactEmail ?? before.dataArchiveContactEmail,
})
