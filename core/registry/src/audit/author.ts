import type { Caller } from '../identity/index.js'
import type { Author } from './audit-store.js'

/** The author in an audit event: the IIN of a person, or the BIN and the certificate of a system. */
export function authorOf(caller: Caller): Author {
  if (caller.kind === 'anonymous') return {}
  if (caller.kind === 'system') return { modifiedByBusinessId: caller.bin, modifiedByDigest: caller.certificateDigest }
  return { modifiedBy: caller.iin }
}
