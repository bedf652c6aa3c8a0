import { RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'
import { buildPath } from '../path/build-path.js'
import type { CertificatePath, PathContext } from '../path/path-context.js'
import { failureFacts } from '../path/path-failure.js'
import type { Certificate } from '../x509/certificate.js'
import { isGoodByAnswers, revokedByAnswers } from './authentic-answers.js'
import type { Revocation } from './basic-ocsp-response.js'
import type { StatusContext } from './status-context.js'

/**
 * As `buildPath`, but no authority on the path was revoked at the time according to available CRLs and OCSP responses; otherwise
 * another path is tried. Throws `invalidCertificateStatus` if there is none.
 */
export function buildUnrevokedPath(
  leaf: Certificate,
  context: StatusContext,
  time: number,
  purposes: readonly string[],
): CertificatePath {
  const { trust, candidates, now, algorithms, evidence } = context
  const rules: PathContext = { trust, candidates, time, now, algorithms, purposes, crls: evidence?.crls }
  const path = buildPath(leaf, rules)
  if (evidence === undefined || evidence.answers.length === 0) return path
  const check = (certificates: readonly Certificate[]) => requireUnrevokedAuthorities(certificates, time, context)
  try {
    check(path.certificates)
    return path
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    return buildPath(leaf, { ...rules, check })
  }
}

function requireUnrevokedAuthorities(path: readonly Certificate[], time: number, context: StatusContext): void {
  for (let index = 1; index < path.length - 1; index += 1) requireNotRevoked(path.slice(index), time, context, true)
}

/** Refuses the first certificate of a path if an OCSP response says that it was revoked by a time; throws `invalidCertificateStatus`. */
export function requireNotRevoked(
  path: readonly Certificate[],
  time: number,
  context: StatusContext,
  isAuthority = false,
): void {
  const [certificate] = path
  const found = revokedByAnswers(path, time, context)
  if (certificate !== undefined && found !== undefined)
    throw revokedRefusal(certificate, time, { ...found, isAuthority })
}

/** The refusal of a certificate that was revoked by a time; `isAuthority` where it is not that of the signer itself. */
export const revokedRefusal = (
  certificate: Certificate,
  time: number,
  { revokedAt, reason: revocationReason, isAuthority }: Revocation & { readonly isAuthority: boolean },
): RegistryError =>
  signatureErrors.error('invalidCertificateStatus', {
    ...failureFacts('revoked', certificate, time),
    ...{
      serialNumber: certificate.serialNumber,
      time,
      revokedAt,
      revocationReason,
      ...(isAuthority && { isAuthority }),
    },
  })

/** Certificates of a path below the anchor, starting at index `from`, whose status at a time is not known. */
export function withoutStatus(
  { certificates, witnesses }: CertificatePath,
  from: number,
  time: number,
  context: StatusContext,
): Certificate[] {
  const below = certificates.slice(from, -1)
  if (witnesses === undefined && (context.evidence?.answers ?? []).length === 0) return below
  return below.filter((certificate, index) => {
    if (witnesses?.good.has(certificate) === true) return false
    return !isGoodByAnswers(certificates.slice(from + index), time, context)
  })
}
