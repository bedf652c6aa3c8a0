import type { Caller, OrganizationRight } from '../identity/index.js'
import { guard } from '../kernel/operation.js'
import { OrganizationGuard, representedOrganization } from './represented-organization.js'

/** Employees and systems with a right in their organization, whose BIN `execute` gets as `businessId`. */
export const withRight = (right: OrganizationRight) =>
  guard({
    words: `employees and systems with \`${right}\`, about their organization`,
    refuses: ['authenticationRequired', 'notOrganization', 'accessDenied'],
    inject: { organizations: OrganizationGuard },
    check:
      ({ organizations }) =>
      async (caller: Caller) => ({ businessId: await organizations.assert(caller, right) }),
  })

/** Employees and systems of any organization, whose BIN `execute` gets as `businessId`. */
export const ofOrganization = guard({
  words: 'employees and systems, about themselves',
  refuses: ['authenticationRequired', 'notOrganization'],
  inject: {},
  check: () => async (caller: Caller) => ({ businessId: representedOrganization(caller) }),
})
