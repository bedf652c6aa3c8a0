import { DerError } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import { buildPath } from '../path/build-path.js'
import type { PathContext } from '../path/path-context.js'
import type { Certificate } from '../x509/certificate.js'
import { Crl } from '../x509/crl.js'

/** A proof by CRLs that a certificate was not revoked at a time. */
export interface CrlProof {
  readonly crls: readonly Crl[]
  /** Certificates of the CRLs' signers, where those are not the issuer itself. */
  readonly signers: readonly Certificate[]
}

/** Inputs: the CRLs of the trust and `crls`. */
export interface CrlProofContext extends Omit<PathContext, 'crlUse' | 'policies' | 'purposes'> {
  /** The clock, milliseconds since the epoch. */
  readonly now: number
}

/**
 * Proves by CRLs that a certificate was good at `time` (RFC 5280 section 6.3): by CRLs current then, or newer ones that would
 * still list it. Throws `invalidCertificateStatus` for one that was revoked, with reason
 * `undetermined` where the CRLs leave it open, and as `buildPath` does.
 */
export function proveByCrls(certificate: Certificate, context: CrlProofContext): CrlProof {
  const { witnesses } = buildPath(certificate, { ...context, crlUse: 'leaf' })
  return witnesses ?? { crls: [], signers: [] }
}

/** Refuses malformed stored CRLs; throws `invalidCertificateStatus`. */
export function requireCrls(kept: readonly Uint8Array[]): void {
  try {
    for (const der of kept) Crl.parse(der)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw signatureErrors.error('invalidCertificateStatus', { reason: 'crlMalformed' }, error)
  }
}
