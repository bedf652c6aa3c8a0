import {
  GetOrganizationPermissions,
  GetOrganizationSettings,
  GetOrganizationSettingsAudit,
  GetOrganizationSubscription,
  OrganizationPermissions,
  OrganizationSettings,
  OrganizationSettingsAudit,
  OrganizationSubscription,
  type Registry,
  SavedOrganizationSettings,
  SaveOrganizationSettings,
  SaveOrganizationSettingsRequest,
} from '@signed-registry/core'
import { type Api, addComponents, ref } from '../http/components.js'
import { operation } from './operation.js'
import { AuditPage } from './settings.js'

/** The organization that the caller belongs to. */
export function organizationRoutes(app: Api, registry: Registry): void {
  const getSettings = registry.get(GetOrganizationSettings)
  const saveSettings = registry.get(SaveOrganizationSettings)
  const getSettingsAudit = registry.get(GetOrganizationSettingsAudit)
  const getPermissions = registry.get(GetOrganizationPermissions)
  const getSubscription = registry.get(GetOrganizationSubscription)
  addComponents(app, [
    OrganizationSettings,
    SaveOrganizationSettingsRequest,
    SavedOrganizationSettings,
    OrganizationSettingsAudit,
    OrganizationPermissions,
    OrganizationSubscription,
  ])

  app.get(
    '/organizationSettings',
    {
      schema: operation(
        'getOrganizationSettings',
        'organizations',
        'Read the settings of your organization',
        {},
        ref(OrganizationSettings),
      ),
    },
    ({ caller }) => getSettings.execute(caller),
  )

  app.post(
    '/organizationSettings',
    {
      schema: operation(
        'saveOrganizationSettings',
        'organizations',
        'Change the settings of your organization; omitted fields keep their values',
        { body: ref(SaveOrganizationSettingsRequest) },
        ref(SavedOrganizationSettings),
      ),
    },
    ({ caller, body }) => saveSettings.execute(caller, body),
  )

  app.get(
    '/organizationSettingsAudit',
    {
      schema: operation(
        'getOrganizationSettingsAudit',
        'organizations',
        'Read the changes of the settings of your organization; read on with lastEventId until events is empty',
        { querystring: AuditPage },
        ref(OrganizationSettingsAudit),
      ),
    },
    ({ caller, query }) => getSettingsAudit.execute(caller, query),
  )

  app.get(
    '/organizationPermissions',
    {
      schema: operation(
        'getOrganizationPermissions',
        'organizations',
        'What you may do in the name of your organization',
        {},
        ref(OrganizationPermissions),
      ),
    },
    ({ caller }) => getPermissions.execute(caller),
  )

  app.get(
    '/organizationSubscription',
    {
      schema: operation(
        'getOrganizationSubscription',
        'organizations',
        'Read the subscription of your organization',
        {},
        ref(OrganizationSubscription),
      ),
    },
    ({ caller }) => getSubscription.execute(caller),
  )
}
