import {
  assertAuthenticated,
  type Caller,
  type OrganizationRight,
  OrganizationRights,
  organizationOf,
  refusal,
} from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { organizationErrors } from './errors.js'

/** BIN of the organization that a caller acts for. Refuses people who act for themselves. */
export function representedOrganization(caller: Caller): string {
  assertAuthenticated(caller)
  const bin = organizationOf(caller)
  if (bin === undefined) throw organizationErrors.error('notOrganization')
  return bin
}

/** Checks the rights of callers in their own organization. */
export class OrganizationGuard {
  static readonly inject = { rights: OrganizationRights }

  constructor(private readonly use: Injected<typeof OrganizationGuard.inject>) {}

  /** BIN of the caller's organization; refuses callers without the right in it. */
  async assert(caller: Caller, right: OrganizationRight): Promise<string> {
    const bin = representedOrganization(caller)
    if (!(await this.use.rights.allow(caller, bin, right))) throw refusal(caller)
    return bin
  }
}
