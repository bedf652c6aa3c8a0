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

/** What CRLs are looked for with: those of the trust, and `kept` ones. */
export interface CrlProofContext extends Omit<PathContext, 'revocation' | 'policies' | 'purposes'> {
  /** The clock, milliseconds since the epoch. */
  readonly now: number
  readonly kept?: readonly Crl[]
}

/**
 * Shows by CRLs that a certificate was good at `time` (RFC 5280 section 6.3): those that were current then, or newer
 * ones that still would list it. Throws `invalidCertificateStatus` for one that was revoked, with reason
 * `undetermined` where the CRLs leave it open, and as `buildPath` does.
 */
export function proveByCrls(certificate: Certificate, { kept = [], ...context }: CrlProofContext): CrlProof {
  const { trust } = context
  const crls = [...(trust.crls ?? []), ...kept]
  const { witnesses } = buildPath(certificate, { ...context, trust: { ...trust, crls }, revocation: 'leaf' })
  return witnesses ?? { crls: [], signers: [] }
}

/** Reads kept CRLs; throws `invalidCertificateStatus` for bytes that are none. */
export function readKeptCrls(kept: readonly Uint8Array[]): Crl[] {
  try {
    return kept.map((der) => Crl.parse(der))
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw signatureErrors.error('invalidCertificateStatus', { reason: 'crlMalformed' }, error)
  }
}
