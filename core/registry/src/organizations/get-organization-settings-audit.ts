import Type, { type Static } from 'typebox'
import { AuditQuery, AuditStore, auditPage } from '../audit/index.js'
import type { Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationGuard } from './represented-organization.js'
import { OrganizationChoices } from './schema.js'

/** Answer of `GET /api/organizationSettingsAudit`. */
export const OrganizationSettingsAudit = Type.Object(
  { businessId: Type.String(), ...auditPage(OrganizationChoices.properties) },
  { $id: 'OrganizationSettingsAudit' },
)
export type OrganizationSettingsAudit = Static<typeof OrganizationSettingsAudit>

/**
 * Answers the changes of the settings of the caller's organization, oldest first
 * (specification, `GET /api/organizationSettingsAudit`). Read on with `lastEventId` until `events` is empty.
 */
export class GetOrganizationSettingsAudit {
  static readonly operation = operation({
    id: 'getOrganizationSettingsAudit',
    group: 'organizations',
    summary: 'Read the changes of the settings of your organization; read on with lastEventId until events is empty',
    description: 'For who has the right `organizationSettings`. Oldest first; events are never changed or removed.',
    query: AuditQuery,
    answer: OrganizationSettingsAudit,
  })
  static readonly inject = { guard: OrganizationGuard, audit: AuditStore }

  constructor(private readonly use: Injected<typeof GetOrganizationSettingsAudit.inject>) {}

  async execute(
    caller: Caller,
    { query }: Input<typeof GetOrganizationSettingsAudit.operation> = {},
  ): Promise<OrganizationSettingsAudit> {
    const businessId = await this.use.guard.assert(caller, 'organizationSettings')
    return { businessId, ...(await this.use.audit.page<OrganizationChoices>('organization', businessId, query)) }
  }
}
