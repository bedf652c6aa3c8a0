import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationStore } from './organization-store.js'
import { OrganizationSettings } from './schema.js'
import { SystemKeys } from './system-keys.js'
import { withRight } from './with-right.js'

/** Answers the settings of the caller's organization (specification, `GET /api/organizationSettings`). */
export class GetOrganizationSettings {
  static readonly operation = operation({
    id: 'getOrganizationSettings',
    group: 'organizations',
    at: 'GET /organizationSettings',
    who: withRight('organizationSettings'),
    summary: 'Read the settings of your organization',
    description: 'For who has the right `organizationSettings`; the head of an organization has every right.',
    answer: OrganizationSettings,
  })
  static readonly inject = { organizations: OrganizationStore, keys: SystemKeys }

  constructor(private readonly use: Injected<typeof GetOrganizationSettings.inject>) {}

  async execute(
    _caller: Caller,
    { businessId }: Admitted<typeof GetOrganizationSettings.operation>,
  ): Promise<OrganizationSettings> {
    const settings = await this.use.organizations.get(businessId)
    const pending = await this.use.keys.pending(businessId)
    const tlsCertificatesList = settings.tlsCertificatesList.map((item, position) =>
      pending.has(position) ? { ...item, pending: true } : item,
    )
    return { ...settings, tlsCertificatesList }
  }
}
