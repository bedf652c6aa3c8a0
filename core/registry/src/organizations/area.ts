import { OrganizationControls } from '../identity/index.js'
import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provide, provideValue } from '../kernel/service.js'
import { Accounts } from './accounts.js'
import { Branding } from './branding.js'
import { organizationErrors } from './errors.js'
import { OrganizationLimits } from './limits.js'
import * as systemKeys from './migrations/0041-system-keys.js'
import * as subscriptionMails from './migrations/0072-subscription-mails.js'
import * as listedCertificates from './migrations/0145-listed-certificates.js'
import * as branding from './migrations/0176-branding.js'
import * as operations from './operations.js'
import { OrganizationStore } from './organization-store.js'
import { OrganizationGuard } from './represented-organization.js'
import { Subscriptions } from './subscriptions.js'
import { SystemKeys } from './system-keys.js'
import { usualWebhookPorts, WebhookAddresses, WebhookPorts } from './webhooks.js'

export const organizationsArea = area({
  name: 'organizations',
  errors: [organizationErrors],
  migrations: {
    '0041-system-keys': systemKeys,
    '0072-subscription-mails': subscriptionMails,
    '0145-listed-certificates': listedCertificates,
    '0176-branding': branding,
  },
  services: [OrganizationStore, SystemKeys, Subscriptions, OrganizationGuard, Accounts, Branding],
  provides: [
    provide(OrganizationControls, OrganizationStore),
    provideValue(WebhookAddresses, 'public'),
    provideValue(WebhookPorts, usualWebhookPorts),
    provideLimits(OrganizationLimits),
  ],
  operations: Object.values(operations),
})
