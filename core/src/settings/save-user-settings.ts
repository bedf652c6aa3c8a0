import { AuditStore } from '../audit/index.js'
import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { checkArchiveContact, checkEmails } from './check-emails.js'
import type { SavedUserSettings, SaveUserSettingsRequest, UserChoices } from './schema.js'
import { userOf } from './user.js'
import { UserSettingsStore } from './user-settings-store.js'

/** Changes the settings of the calling user; an omitted field keeps its value (specification, `POST /api/settings`). */
export class SaveUserSettings {
  static readonly inject = [UserSettingsStore, AuditStore, Database, Clock] as const

  constructor(
    private readonly settings: UserSettingsStore,
    private readonly audit: AuditStore,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute(caller: Caller, request: SaveUserSettingsRequest): Promise<SavedUserSettings> {
    const userId = userOf(caller)
    const { email, dataArchiveContactEmail } = request
    checkEmails({ email, dataArchiveContactEmail })

    return this.database.transaction(async () => {
      const modifiedAt = this.clock.now()
      const { choices: original } = await this.settings.lock(userId, modifiedAt)
      const modified = changed(original, request)
      checkArchiveContact(modified)
      await this.settings.save(userId, modified, modifiedAt)
      await this.audit.append({ ownerKind: 'user', ownerId: userId, original, modified, modifiedAt })
      return { userId, modifiedAt }
    })
  }
}

// Field by field: what a request says beyond these fields is not kept.
const changed = (before: UserChoices, given: SaveUserSettingsRequest): UserChoices => ({
  emailNotificationsEnabled: given.emailNotificationsEnabled ?? before.emailNotificationsEnabled,
  emailNotificationsRoutingEnabled: given.emailNotificationsRoutingEnabled ?? before.emailNotificationsRoutingEnabled,
  email: given.email ?? before.email,
  dataArchiveEnabled: given.dataArchiveEnabled ?? before.dataArchiveEnabled,
  dataArchiveContactEmail: given.dataArchiveContactEmail ?? before.dataArchiveContactEmail,
})
