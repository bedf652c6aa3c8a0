import { randomBytes } from 'node:crypto'
import type { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import { askAuthority, UnusableAnswer } from './authority-call.js'
import { signatureErrors } from './errors.js'
import type { CallStatistics, StatusSource } from './ports.js'
import { type CrlProof, type CrlProofContext, proveByCrls } from './status/crl-proof.js'
import { buildOcspRequest } from './status/ocsp-request.js'
import { readOcspResponse } from './status/ocsp-response.js'
import { type CertificateStatus, type OcspContext, verifyOcsp } from './status/verify-ocsp.js'
import type { Certificate } from './x509/certificate.js'

/** Whom certificate statuses are asked of. */
export interface StatusAuthorities {
  readonly statuses: StatusSource
  readonly statistics: CallStatistics
  readonly clock: Clock
}

/**
 * Asks the responder of a certificate for its status and judges the answer. Throws `ocspServerProblem` when there is no
 * answer that can be used, and `invalidCertificateStatus`.
 */
export function askCertificateStatus(
  about: Omit<OcspContext, 'now'>,
  { statuses, statistics, clock }: StatusAuthorities,
  signal: AbortSignal,
): Promise<CertificateStatus> {
  const { certificate, issuer } = about
  const url = statuses.urlFor(certificate)
  if (url === undefined) throw signatureErrors.error('ocspServerProblem', { reason: 'noResponder' })
  const exchange = async () => {
    const nonce = newNonce()
    const answer = await statuses.status(url, buildOcspRequest({ certificate, issuer, nonce }), { signal })
    const { status, basic } = readOcspResponse(answer)
    if (basic === undefined) throw new UnusableAnswer(status, {}, PASSING.has(status))
    return verifyOcsp(basic, { ...about, nonce, now: clock.now() })
  }
  return askAuthority({ protocol: 'ocsp', url, exchange, signal }, statistics)
}

/**
 * The status of a certificate for which there is no responder to ask, by the CRLs of the trust set. Throws
 * `invalidCertificateStatus`, and `ocspServerProblem` with reason `noCurrentCrl` where the CRLs leave it open: then it
 * is the operator who has to bring newer ones.
 */
export function statusByCrls(certificate: Certificate, context: CrlProofContext): CrlProof {
  try {
    return proveByCrls(certificate, context)
  } catch (error) {
    if (!(error instanceof RegistryError) || error.details?.reason !== 'undetermined') throw error
    throw signatureErrors.error('ocspServerProblem', { ...error.details, reason: 'noCurrentCrl' }, error)
  }
}

/** What may be over in a moment. */
export const PASSING: ReadonlySet<string> = new Set(['tryLater', 'internalError', 'timeNotAvailable', 'systemFailure'])

/** 64 bits of which one is set and one is not, so that every authority takes it for the same positive INTEGER of 8 octets. */
export function newNonce(): Uint8Array {
  const nonce = randomBytes(8)
  nonce[0] = ((nonce[0] as number) & 0x3f) | 0x40
  return nonce
}
