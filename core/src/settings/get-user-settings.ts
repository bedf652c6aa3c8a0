import type { Caller } from '../identity/index.js'
import type { UserSettings } from './schema.js'
import { userOf } from './user.js'
import { UserSettingsStore } from './user-settings-store.js'

/** Answers the settings of the calling user (specification, `GET /api/settings`). */
export class GetUserSettings {
  static readonly inject = [UserSettingsStore] as const

  constructor(private readonly settings: UserSettingsStore) {}

  async execute(caller: Caller): Promise<UserSettings> {
    return this.settings.get(userOf(caller))
  }
}
