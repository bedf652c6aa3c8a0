import type { Caller } from '../identity/index.js'
import { OrganizationStore } from './organization-store.js'
import { OrganizationGuard } from './represented-organization.js'
import type { OrganizationSettings } from './schema.js'

/** Answers the settings of the caller's organization (specification, `GET /api/organizationSettings`). */
export class GetOrganizationSettings {
  static readonly inject = [OrganizationGuard, OrganizationStore] as const

  constructor(
    private readonly guard: OrganizationGuard,
    private readonly organizations: OrganizationStore,
  ) {}

  async execute(caller: Caller): Promise<OrganizationSettings> {
    return this.organizations.get(await this.guard.assert(caller, 'organizationSettings'))
  }
}
