import Type, { type Static } from 'typebox'
import { type Caller, type OrganizationRight, OrganizationRights } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { ofOrganization } from './with-right.js'

/** Answer of `GET /api/organizationPermissions`. */
export const OrganizationPermissions = Type.Object(
  {
    documentsAccess: Type.Boolean(),
    documentsList: Type.Boolean(),
    documentsSettings: Type.Boolean(),
    organizationSettings: Type.Boolean(),
  },
  { $id: 'OrganizationPermissions' },
)
export type OrganizationPermissions = Static<typeof OrganizationPermissions>

/** Answers what the caller may do on behalf of the organization (specification, `GET /api/organizationPermissions`). */
export class GetOrganizationPermissions {
  static readonly operation = operation({
    id: 'getOrganizationPermissions',
    group: 'organizations',
    at: 'GET /organizationPermissions',
    who: ofOrganization,
    summary: 'What you may do in the name of your organization',
    description: 'For every employee and information system of the organization.',
    answer: OrganizationPermissions,
  })
  static readonly inject = { rights: OrganizationRights }

  constructor(private readonly use: Injected<typeof GetOrganizationPermissions.inject>) {}

  async execute(
    caller: Caller,
    { businessId: bin }: Admitted<typeof GetOrganizationPermissions.operation>,
  ): Promise<OrganizationPermissions> {
    const may = (right: OrganizationRight) => this.use.rights.allow(caller, bin, right)
    return {
      documentsAccess: await may('documentsAccess'),
      documentsList: await may('documentsList'),
      documentsSettings: await may('documentsSettings'),
      organizationSettings: await may('organizationSettings'),
    }
  }
}
