import { type Caller, type OrganizationRight, OrganizationRights } from '../identity/index.js'
import { representedOrganization } from './represented-organization.js'
import type { OrganizationPermissions } from './schema.js'

/** Answers what the caller may do in the name of the organization (specification, `GET /api/organizationPermissions`). */
export class GetOrganizationPermissions {
  static readonly inject = [OrganizationRights] as const

  constructor(private readonly rights: OrganizationRights) {}

  async execute(caller: Caller): Promise<OrganizationPermissions> {
    const bin = representedOrganization(caller)
    const may = (right: OrganizationRight) => this.rights.allow(caller, bin, right)
    return {
      documentsAccess: await may('documentsAccess'),
      documentsList: await may('documentsList'),
      documentsSettings: await may('documentsSettings'),
      organizationSettings: await may('organizationSettings'),
    }
  }
}
