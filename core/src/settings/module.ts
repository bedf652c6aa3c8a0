import { ContainerModule } from 'inversify'
import { provide } from '../kernel/token.js'
import { ArchiveAccounts } from './archive-accounts.js'
import { GetUserSettings } from './get-user-settings.js'
import { GetUserSettingsAudit } from './get-user-settings-audit.js'
import { SaveUserSettings } from './save-user-settings.js'
import { UserSettingsStore } from './user-settings-store.js'

export const settingsModule = new ContainerModule(({ bind }) => {
  provide(bind, ArchiveAccounts, ArchiveAccounts)
  provide(bind, UserSettingsStore, UserSettingsStore)
  provide(bind, GetUserSettings, GetUserSettings)
  provide(bind, SaveUserSettings, SaveUserSettings)
  provide(bind, GetUserSettingsAudit, GetUserSettingsAudit)
})
