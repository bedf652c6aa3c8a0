import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { ArchiveAccounts, ArchiveLimits } from './archive-accounts.js'
import * as settings from './migrations/0003-settings.js'
import * as notificationChoices from './migrations/0173-notification-choices.js'
import * as operations from './operations.js'
import { UserSettingsStore } from './user-settings-store.js'

export const settingsArea = area({
  name: 'settings',
  migrations: { '0003-settings': settings, '0173-notification-choices': notificationChoices },
  provides: [provideLimits(ArchiveLimits)],
  services: [ArchiveAccounts, UserSettingsStore],
  operations: Object.values(operations),
})
