import { bitString, enumerated, explicit, integer, sequence, time } from '../der/writer.js'
import type { SigningKey } from '../signing-key.js'
import { authorityKeyIdentifier, encodeExtension } from './extensions.js'

/** Reasons of RFC 5280 5.3.1. */
export const REVOCATION_REASONS = {
  unspecified: 0,
  keyCompromise: 1,
  cACompromise: 2,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  certificateHold: 6,
} as const
export type RevocationReason = keyof typeof REVOCATION_REASONS

export interface Revocation {
  /** INTEGER content octets. */
  readonly serial: Uint8Array
  /** Milliseconds since the UNIX epoch. */
  readonly at: number
  readonly reason: RevocationReason
}

/** A complete list (RFC 5280 5) by the authority with that name and key. */
export function signCrl(
  parts: {
    issuer: Uint8Array
    number: number
    thisUpdate: number
    nextUpdate: number
    revocations: readonly Revocation[]
  },
  key: SigningKey,
): Buffer {
  const algorithm = key.signatureAlgorithm(key.hash)
  const entries = parts.revocations.map(({ serial, at, reason }) => {
    const code = { oid: '2.5.29.21', critical: false, value: enumerated(REVOCATION_REASONS[reason]) }
    // RFC 5280 5.3.1: an unspecified reason is left out.
    return sequence(integer(serial), time(at), ...(reason === 'unspecified' ? [] : [sequence(encodeExtension(code))]))
  })
  const number = { oid: '2.5.29.20', critical: false, value: integer(parts.number) }
  const tbs = sequence(
    integer(1),
    algorithm,
    parts.issuer,
    time(parts.thisUpdate),
    time(parts.nextUpdate),
    ...(entries.length === 0 ? [] : [sequence(...entries)]),
    explicit(0, sequence(encodeExtension(authorityKeyIdentifier(key.spki)), encodeExtension(number))),
  )
  return sequence(tbs, algorithm, bitString(key.sign(tbs, key.hash)))
}
