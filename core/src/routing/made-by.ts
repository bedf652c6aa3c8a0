import { assertAuthenticated, type Caller } from '../identity/index.js'

/** Who exactly acts: the IIN of a person or employee, or the SHA-256 of a system's certificate. */
export function madeBy(caller: Caller): string {
  assertAuthenticated(caller)
  return caller.kind === 'system' ? caller.certificateDigest : caller.iin
}
