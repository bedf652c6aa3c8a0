export { GetOrganizationPermissions, type OrganizationPermissions } from './get-organization-permissions.js'
export { GetOrganizationSettings } from './get-organization-settings.js'
export { GetOrganizationSettingsAudit, type OrganizationSettingsAudit } from './get-organization-settings-audit.js'
export { GetOrganizationSubscription } from './get-organization-subscription.js'
export {
  type SavedOrganizationSettings,
  SaveOrganizationSettings,
  type SaveOrganizationSettingsRequest,
} from './save-organization-settings.js'
export type { OrganizationSettings } from './schema.js'
export type { OrganizationSubscription } from './subscriptions.js'
