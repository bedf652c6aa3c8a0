import type { Caller } from '../identity/index.js'

/** Who made a change. */
export interface Author {
  /** IIN of a person. */
  readonly modifiedBy?: string | undefined
  /** BIN of the organization whose system made the change. */
  readonly modifiedByBusinessId?: string | undefined
  /** SHA-256 of the client certificate of that system, lower-case hexadecimal. */
  readonly modifiedByDigest?: string | undefined
  /** Who administered the service. */
  readonly administrator?: string | undefined
}

/** The author in an audit event: the IIN of a person, or the BIN and the certificate of a system. */
export function authorOf(caller: Caller): Author {
  if (caller.kind === 'anonymous') return {}
  if (caller.kind === 'system') return { modifiedByBusinessId: caller.bin, modifiedByDigest: caller.certificateDigest }
  return { modifiedBy: caller.iin }
}
