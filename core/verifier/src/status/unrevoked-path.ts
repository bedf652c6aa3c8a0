import { signatureErrors } from '../errors.js'
import { buildPath } from '../path/build-path.js'
import type { CertificatePath, PathContext } from '../path/path-context.js'
import { failureFacts } from '../path/path-failure.js'
import type { Certificate } from '../x509/certificate.js'
import { isGoodByAnswers, revokedByAnswers } from './authentic-answers.js'
import type { StatusContext } from './status-context.js'

/** What a path is looked for with, and what is known of its certificates. */
export type UnrevokedPathContext = StatusContext & Omit<PathContext, 'crlUse' | 'crls' | 'judgement' | 'now'>

/**
 * As `buildPath`, with a path of which no authority was revoked at the time, as far as any CRL or OCSP answer at hand tells;
 * another one is looked for where the first has such. Throws `invalidCertificateStatus` where there is none.
 */
export function buildUnrevokedPath(leaf: Certificate, context: UnrevokedPathContext): CertificatePath {
  const { answers = [], crls } = context.evidence ?? {}
  const path = buildPath(leaf, { ...context, crls })
  if (answers.length === 0) return path
  const judgement = (certificates: readonly Certificate[]) => requireUnrevokedAuthorities(certificates, context)
  try {
    judgement(path.certificates)
    return path
  } catch {
    return buildPath(leaf, { ...context, crls, judgement })
  }
}

function requireUnrevokedAuthorities(path: readonly Certificate[], context: UnrevokedPathContext): void {
  for (let index = 1; index < path.length - 1; index += 1) requireNotRevoked(path.slice(index), context.time, context)
}

/** Refuses the first certificate of a path when an OCSP answer says that it was revoked by a time; throws `invalidCertificateStatus`. */
export function requireNotRevoked(path: readonly Certificate[], time: number, context: StatusContext): void {
  const [certificate] = path
  const found = revokedByAnswers(path, time, context)
  if (certificate === undefined || found === undefined) return
  const { revokedAt, reason: revocationReason } = found
  throw signatureErrors.error('invalidCertificateStatus', {
    ...failureFacts('revoked', certificate, time),
    ...{ serialNumber: certificate.serialNumber, time, revokedAt, revocationReason },
  })
}

/** Certificates of a path below its anchor whose status at a time nothing tells; `from` is the first that is asked about. */
export function unaskedOn(
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
