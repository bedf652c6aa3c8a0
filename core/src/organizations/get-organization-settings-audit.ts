import { AuditStore } from '../audit/index.js'
import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { OrganizationGuard } from './represented-organization.js'
import type { OrganizationChoices, OrganizationSettingsAudit } from './schema.js'

/**
 * Answers the changes of the settings of the caller's organization, oldest first
 * (specification, `GET /api/organizationSettingsAudit`). Read on with `lastEventId` until `events` is empty.
 */
export class GetOrganizationSettingsAudit {
  static readonly inject = [OrganizationGuard, AuditStore, Limits] as const

  constructor(
    private readonly guard: OrganizationGuard,
    private readonly audit: AuditStore,
    private readonly limits: Limits,
  ) {}

  async execute(caller: Caller, query: { lastEventId?: number | undefined } = {}): Promise<OrganizationSettingsAudit> {
    const businessId = await this.guard.assert(caller, 'organizationSettings')
    const { lastEventId = 0 } = query
    const page = await this.audit.page<OrganizationChoices>(
      'organization',
      businessId,
      lastEventId,
      this.limits.auditEventsPerCall,
    )
    return { businessId, ...page }
  }
}
