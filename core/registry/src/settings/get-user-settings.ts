import { type Employee, type Person, people } from '../identity/index.js'
import { operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { UserSettings } from './schema.js'
import { UserSettingsStore } from './user-settings-store.js'

/** Answers the settings of the calling user (specification, `GET /api/settings`). */
export class GetUserSettings {
  static readonly operation = operation({
    id: 'getUserSettings',
    group: 'settings',
    at: 'GET /settings',
    who: people,
    summary: 'Read your settings',
    description:
      'One set for a person, in every context in which they log in. Created with defaults by the first registration or login.',
    answer: UserSettings,
  })
  static readonly inject = { settings: UserSettingsStore }

  constructor(private readonly use: Injected<typeof GetUserSettings.inject>) {}

  async execute({ iin }: Person | Employee): Promise<UserSettings> {
    return this.use.settings.get(iin)
  }
}
