import { assertAuthenticated, type Caller, refusal } from '../identity/index.js'

/** IIN of the person who calls, in their own name or as an employee. Refuses systems, which have no settings of a user. */
export function userOf(caller: Caller): string {
  assertAuthenticated(caller)
  if (caller.kind === 'system') throw refusal(caller)
  return caller.iin
}
