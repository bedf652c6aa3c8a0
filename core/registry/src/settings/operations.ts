export { GetUserSettings } from './get-user-settings.js'
export { GetUserSettingsAudit, type UserSettingsAudit } from './get-user-settings-audit.js'
export { type SavedUserSettings, SaveUserSettings, type SaveUserSettingsRequest } from './save-user-settings.js'
export type { UserSettings } from './schema.js'
