import type { Caller } from '../identity/index.js'
import { operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationStore } from './organization-store.js'
import { OrganizationGuard } from './represented-organization.js'
import { OrganizationSettings } from './schema.js'
import { SystemKeys } from './system-keys.js'

/** Answers the settings of the caller's organization (specification, `GET /api/organizationSettings`). */
export class GetOrganizationSettings {
  static readonly operation = operation({
    id: 'getOrganizationSettings',
    group: 'organizations',
    summary: 'Read the settings of your organization',
    description: 'For who has the right `organizationSettings`; the head of an organization has every right.',
    answer: OrganizationSettings,
  })
  static readonly inject = { guard: OrganizationGuard, organizations: OrganizationStore, keys: SystemKeys }

  constructor(private readonly use: Injected<typeof GetOrganizationSettings.inject>) {}

  async execute(caller: Caller): Promise<OrganizationSettings> {
    const businessId = await this.use.guard.assert(caller, 'organizationSettings')
    const settings = await this.use.organizations.get(businessId)
    const pending = await this.use.keys.pending(businessId)
    const tlsCertificatesList = settings.tlsCertificatesList.map((item, position) =>
      pending.has(position) ? { ...item, pending: true } : item,
    )
    return { ...settings, tlsCertificatesList }
  }
}
