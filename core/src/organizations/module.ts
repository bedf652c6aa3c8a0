import { ContainerModule } from 'inversify'
import { OrganizationControls } from '../identity/index.js'
import { provide } from '../kernel/token.js'
import { Features } from './features.js'
import { GetOrganizationPermissions } from './get-organization-permissions.js'
import { GetOrganizationSettings } from './get-organization-settings.js'
import { GetOrganizationSettingsAudit } from './get-organization-settings-audit.js'
import { GetOrganizationSubscription } from './get-organization-subscription.js'
import { IdentifySystem } from './identify-system.js'
import { ListAccounts } from './list-accounts.js'
import { OrganizationStore } from './organization-store.js'
import { OrganizationGuard } from './represented-organization.js'
import { SaveOrganizationSettings } from './save-organization-settings.js'
import { SetSubscription } from './set-subscription.js'
import { SubscriptionStore } from './subscription-store.js'
import { TlsKeyStore } from './tls-key-store.js'

export const organizationsModule = new ContainerModule(({ bind }) => {
  provide(bind, OrganizationStore, OrganizationStore)
  bind(OrganizationControls).toResolvedValue((store: OrganizationStore) => store, [OrganizationStore])
  provide(bind, TlsKeyStore, TlsKeyStore)
  provide(bind, SubscriptionStore, SubscriptionStore)
  provide(bind, OrganizationGuard, OrganizationGuard)
  provide(bind, Features, Features)
  provide(bind, IdentifySystem, IdentifySystem)
  provide(bind, GetOrganizationSettings, GetOrganizationSettings)
  provide(bind, SaveOrganizationSettings, SaveOrganizationSettings)
  provide(bind, GetOrganizationSettingsAudit, GetOrganizationSettingsAudit)
  provide(bind, GetOrganizationPermissions, GetOrganizationPermissions)
  provide(bind, GetOrganizationSubscription, GetOrganizationSubscription)
  provide(bind, SetSubscription, SetSubscription)
  provide(bind, ListAccounts, ListAccounts)
})
