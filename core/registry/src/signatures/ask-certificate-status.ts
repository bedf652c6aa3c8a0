import { randomBytes } from 'node:crypto'
import type { Certificate } from '@signed-registry/verifier'
import {
  buildOcspRequest,
  type CertificateStatus,
  type CrlProof,
  type CrlProofContext,
  type OcspContext,
  proveByCrls,
  RegistryError,
  readOcspResponse,
  type StatusProof,
  signatureErrors,
  verifyOcsp,
} from '@signed-registry/verifier'
import type { Clock } from '../kernel/clock.js'
import { askAuthority, UnusableAnswer } from './authority-call.js'
import type { CallStatistics, StatusSource } from './ports.js'

/** Whom certificate statuses are asked of. */
export interface StatusAuthorities {
  readonly statuses: StatusSource
  readonly statistics: CallStatistics
  readonly clock: Clock
  /** Whether CRLs may answer where there is no responder to ask. */
  readonly byCrls: boolean
}

/** Between a time stamp and a certificate status, and between either and the clock when it is fresh. */
export const MAX_GAP = 5 * 60_000

/**
 * The status of a certificate at a moment that has just been: asked of its responder, or by the CRLs of the trust where
 * there is no responder to ask and they may answer. Throws `invalidCertificateStatus`, `evidenceTimesDiffer` for a moment long past, and
 * `ocspServerProblem` when there is no answer that can be used.
 */
export function proveStatus(
  about: OcspContext & Pick<CrlProofContext, 'candidates'>,
  authorities: StatusAuthorities,
  signal: AbortSignal,
): StatusProof | Promise<StatusProof> {
  const { certificate, trust, time, now } = about
  const url = authorities.statuses.urlFor(certificate)
  if (url === undefined && authorities.byCrls && trust.crls?.length)
    return { status: undefined, crlProof: statusByCrls(certificate, about) }
  // A fresh status would be too far from the time stamp that came along.
  if (now - time > MAX_GAP)
    throw signatureErrors.error('evidenceTimesDiffer', { reason: 'timeStampTooOld', genTime: time, now })
  if (url === undefined) throw signatureErrors.error('ocspServerProblem', { reason: 'noResponder' })
  return askResponder(url, about, authorities, signal).then((status) => ({ status, crlProof: undefined }))
}

/** Asks a responder and judges its answer. */
function askResponder(
  url: string,
  about: OcspContext,
  { statuses, statistics, clock }: StatusAuthorities,
  signal: AbortSignal,
): Promise<CertificateStatus> {
  const { certificate, issuer } = about
  const exchange = async () => {
    const nonce = newNonce()
    const answer = await statuses.status(url, buildOcspRequest({ certificate, issuer, nonce }), { signal })
    const { status, basic } = readOcspResponse(answer)
    if (basic === undefined) throw new UnusableAnswer(status, {}, PASSING.has(status))
    return verifyOcsp(basic, { ...about, nonce, now: clock.now() })
  }
  return askAuthority({ protocol: 'ocsp', url, exchange, signal }, statistics)
}

/** `ocspServerProblem` with reason `noCurrentCrl` where the CRLs leave it open: it is the operator who has to bring newer ones. */
function statusByCrls(certificate: Certificate, context: CrlProofContext): CrlProof {
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
  nonce.writeUInt8((nonce.readUInt8() & 0x3f) | 0x40)
  return nonce
}
