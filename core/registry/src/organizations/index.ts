export { type Account, Accounts } from './accounts.js'
export { organizationsArea } from './area.js'
export { Branding, type ShownBranding } from './branding.js'
export { organizationErrors } from './errors.js'
export { GetOrganizationPermissions, OrganizationPermissions } from './get-organization-permissions.js'
export { GetOrganizationSettings } from './get-organization-settings.js'
export { GetOrganizationSettingsAudit, OrganizationSettingsAudit } from './get-organization-settings-audit.js'
export { GetOrganizationSubscription } from './get-organization-subscription.js'
export { OrganizationLimits } from './limits.js'
export { OrganizationStore } from './organization-store.js'
export { OrganizationGuard } from './represented-organization.js'
export {
  SavedOrganizationSettings,
  SaveOrganizationSettings,
  SaveOrganizationSettingsRequest,
} from './save-organization-settings.js'
export * from './schema.js'
export {
  FEATURES,
  type Feature,
  OrganizationSubscription,
  SUBSCRIPTIONS,
  type SubscriptionChange,
  type SubscriptionName,
  Subscriptions,
} from './subscriptions.js'
export { SystemKeys } from './system-keys.js'
export { sameKey } from './tls-certificate.js'
export { WebhookAddresses, WebhookPorts } from './webhooks.js'
export { ofOrganization, withRight } from './with-right.js'
