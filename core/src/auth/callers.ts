import { assertAuthenticated, type Caller, type Employee, type Person, refusal } from '../identity/index.js'
import { authErrors } from './errors.js'

/** Refuses information systems: mutual TLS has said who they are. */
export function refuseSystems(caller: Caller): void {
  if (caller.kind === 'system') throw authErrors.error('alreadyAuthenticatedWithTls')
}

/** The person who calls, in their own name or as an employee; refuses everybody else. */
export function personOf(caller: Caller): Person | Employee {
  assertAuthenticated(caller)
  if (caller.kind === 'system') throw refusal(caller)
  return caller
}
