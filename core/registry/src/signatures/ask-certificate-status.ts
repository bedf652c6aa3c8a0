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

/** Where certificate statuses come from. */
export interface StatusAuthorities {
  readonly statuses: StatusSource
  readonly statistics: CallStatistics
  readonly clock: Clock
  /** Whether CRLs may be used where there is no OCSP responder. */
  readonly byCrls: boolean
}

/** Milliseconds between time stamp and certificate status, and between a fresh one of either and the clock. */
export const MAX_GAP = 5 * 60_000

/**
 * The status of a certificate at a moment just past: from its OCSP responder, or from the CRLs of the trust set where there is
 * none and `byCrls` permits. Throws `invalidCertificateStatus`, `evidenceTimesDiffer` for a moment long past, and
 * `ocspServerProblem` without a usable answer.
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
  // A fresh status would be too far from the time stamp in the signature.
  if (now - time > MAX_GAP)
    throw signatureErrors.error('evidenceTimesDiffer', { reason: 'timeStampTooOld', genTime: time, now })
  if (url === undefined) throw signatureErrors.error('ocspServerProblem', { reason: 'noResponder' })
  return askResponder(url, about, authorities, signal).then((status) => ({ status, crlProof: undefined }))
}

/** Asks a responder and verifies its answer. */
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
    if (basic === undefined) throw new UnusableAnswer(status, {}, TEMPORARY.has(status))
    return verifyOcsp(basic, { ...about, nonce, now: clock.now() })
  }
  return askAuthority({ protocol: 'ocsp', url, exchange, signal }, statistics)
}

/** Throws `ocspServerProblem` with reason `noCurrentCrl` where the CRLs are outdated, which the operator has to mend. */
function statusByCrls(certificate: Certificate, context: CrlProofContext): CrlProof {
  try {
    return proveByCrls(certificate, context)
  } catch (error) {
    if (!(error instanceof RegistryError) || error.details?.reason !== 'undetermined') throw error
    throw signatureErrors.error('ocspServerProblem', { ...error.details, reason: 'noCurrentCrl' }, error)
  }
}

/** Temporary errors. */
export const TEMPORARY: ReadonlySet<string> = new Set([
  'tryLater',
  'internalError',
  'timeNotAvailable',
  'systemFailure',
])

/** 64 bits with the first two fixed to 01, so that every authority encodes it as the same positive INTEGER of 8 octets. */
export function newNonce(): Uint8Array {
  const nonce = randomBytes(8)
  nonce.writeUInt8((nonce.readUInt8() & 0x3f) | 0x40)
  return nonce
}
