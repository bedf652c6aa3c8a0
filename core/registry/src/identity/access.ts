import type { RegistryError } from '../kernel/error.js'
import type { Caller, Employee, Person, System } from './caller.js'
import { identityErrors } from './errors.js'

/** A rule that adds rights for a person, an employee or an organization (specification, "Access rule"). */
export interface AccessRule {
  readonly iin?: string | undefined
  readonly bin?: string | undefined
}

/** How a list of access rules meets a caller: as this person or employee, through the organization, or not at all. */
export function matchRules(rules: readonly AccessRule[], caller: Caller): 'self' | 'organization' | 'none' {
  if (caller.kind === 'anonymous') return 'none'
  let match: 'organization' | 'none' = 'none'
  for (const { iin, bin } of rules) {
    if (caller.kind === 'person' && iin === caller.iin && bin === undefined) return 'self'
    if (caller.kind === 'employee' && iin === caller.iin && bin === caller.bin) return 'self'
    // A rule for one employee opens the way to colleagues too, as far as their organization lets them.
    if (caller.kind !== 'person' && bin === caller.bin) match = 'organization'
  }
  return match
}

/** The refusal that a caller without a right gets: who is unknown is asked to authenticate. */
export const refusal = (caller: Caller): RegistryError =>
  identityErrors.error(caller.kind === 'anonymous' ? 'authenticationRequired' : 'accessDenied')

/** The person who calls, in their own name or as an employee. Refuses everybody else. */
export function personOf(caller: Caller): Person | Employee {
  if (caller.kind === 'anonymous' || caller.kind === 'system') throw refusal(caller)
  return caller
}

/** Refuses anonymous callers. */
export function assertAuthenticated(caller: Caller): asserts caller is Person | Employee | System {
  if (caller.kind === 'anonymous') throw refusal(caller)
}
