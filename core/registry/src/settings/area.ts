import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { ArchiveAccounts, ArchiveLimits } from './archive-accounts.js'
import * as settings from './migrations/0003-settings.js'
import * as operations from './operations.js'
import { UserSettingsStore } from './user-settings-store.js'

export const settingsArea = area({
  name: 'settings',
  migrations: { '0003-settings': settings },
  provides: [provideLimits(ArchiveLimits)],
  services: [ArchiveAccounts, UserSettingsStore],
  operations: Object.values(operations),
})
