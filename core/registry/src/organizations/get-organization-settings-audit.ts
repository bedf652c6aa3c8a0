import Type, { type Static } from 'typebox'
import { AuditQuery, AuditStore, auditPage } from '../audit/index.js'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationChoices } from './schema.js'
import { withRight } from './with-right.js'

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
    at: 'GET /organizationSettingsAudit',
    who: withRight('organizationSettings'),
    summary: 'Read the changes of the settings of your organization; read on with lastEventId until events is empty',
    description: 'Oldest first; events are never changed or removed.',
    query: AuditQuery,
    answer: OrganizationSettingsAudit,
  })
  static readonly inject = { audit: AuditStore }

  constructor(private readonly use: Injected<typeof GetOrganizationSettingsAudit.inject>) {}

  async execute(
    _caller: Caller,
    { businessId, query }: Admitted<typeof GetOrganizationSettingsAudit.operation>,
  ): Promise<OrganizationSettingsAudit> {
    return { businessId, ...(await this.use.audit.page<OrganizationChoices>('organization', businessId, query)) }
  }
}
