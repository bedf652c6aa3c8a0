import { writeOctetString } from '../der/writer.js'
import type { ErrorDetails, RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'
import { asRefusal, ocspRefusal } from '../evidence-refusal.js'
import type { CertificatePath } from '../path/path-context.js'
import type { Certificate } from '../x509/certificate.js'
import { responderOf, responsesFor } from './authentic-answers.js'
import type { BasicOcspResponse, Revocation, SingleResponse } from './basic-ocsp-response.js'
import { requireIssuer } from './cert-id.js'
import { CLOCK_SKEW, type OcspAnswer, readAnswer, refuseUnusable } from './ocsp-answer.js'
import { ID_PKIX_OCSP_NONCE } from './ocsp-request.js'
import { isRevokedAt, MAX_GAP } from './revocation-time.js'
import type { StatusContext } from './status-context.js'

/** A proof that a certificate was not revoked at the time judged. */
export interface CertificateStatus {
  /** The `BasicOCSPResponse` as received. */
  readonly response: Uint8Array
  readonly producedAt: number
  readonly thisUpdate: number
  readonly nextUpdate: number | undefined
  readonly responder: Certificate
  /** OID of the responder's signature algorithm. */
  readonly signAlgorithm: string
  /** Set when the certificate was revoked after the time judged: it was still good then. */
  readonly revocation: Revocation | undefined
}

/**
 * Validates an OCSP response (RFC 6960 section 3.2), a `BasicOCSPResponse` or an `OCSPResponse`. Throws
 * `invalidOcspData` for a response that proves nothing, `evidenceTimesDiffer` for one of another time,
 * `invalidCertificateStatus` for a certificate that was revoked or unknown, `algorithmNotTrusted`.
 */
export function verifyOcsp(bytes: Uint8Array, context: OcspContext): CertificateStatus {
  return verifyAnswer(() => context.evidence?.find(bytes) ?? readAnswer(bytes), context)
}

/** As `verifyOcsp`, for a parsed response. */
export function verifyAnswer(read: () => OcspAnswer, context: OcspContext): CertificateStatus {
  const { certificate, issuer, path = { certificates: [certificate, issuer] } } = context
  try {
    requireIssuer(context)
    const answer = read()
    const { response, basic } = answer
    assertNonce(basic, context.nonce)
    const ours = responsesFor(answer, certificate, issuer)
    if (ours.length === 0) throw ocspRefusal('otherCertificate', { serialNumber: certificate.serialNumber })
    refuseUnusable(answer, ours, context.now)
    const responder = responderOf(answer, path.certificates, context)
    const { producedAt } = basic
    const single = worst(ours, context)
    const { status, thisUpdate, nextUpdate } = single
    assertGood(single, context)
    assertFresh({ producedAt, thisUpdate, nextUpdate }, context)
    const revocation = typeof status === 'object' ? status : undefined
    return {
      response,
      producedAt,
      thisUpdate,
      nextUpdate,
      responder,
      signAlgorithm: basic.signatureAlgorithm.oid,
      revocation,
    }
  } catch (error) {
    throw asRefusal('invalidOcspData', error)
  }
}

/** Refuses a response that does not repeat the nonce of the request. */
export function assertNonce({ extensions }: BasicOcspResponse, sent: Uint8Array | undefined): void {
  if (sent === undefined) return
  const value = extensions.get(ID_PKIX_OCSP_NONCE)?.value
  if (value === undefined) throw ocspRefusal('nonceMissing')
  if (Buffer.compare(value, writeOctetString(sent)) !== 0) throw ocspRefusal('nonceDiffers')
}

/** Of several single responses about a certificate the worst counts, then the newest. */
function worst(ours: readonly SingleResponse[], context: OcspContext): SingleResponse {
  const rank = (one: SingleResponse) =>
    one.status === 'good' ? 0 : one.status === 'unknown' ? 2 : isRevoked(one, context) ? 3 : 1
  return ours.reduce((a, b) => ((rank(b) - rank(a) || b.thisUpdate - a.thisUpdate) > 0 ? b : a))
}

/** Within one response a hold counts like any revocation. */
const isRevoked = (single: SingleResponse, context: OcspContext): boolean =>
  isRevokedAt(single, context.time, [], Number.POSITIVE_INFINITY)

function assertGood(answer: SingleResponse, context: OcspContext): void {
  const { certificate, time } = context
  const { status } = answer
  if (status === 'good') return
  const { serialNumber } = certificate
  if (status === 'unknown') throw statusRefusal('unknown', { serialNumber, time })
  if (!isRevoked(answer, context)) return
  const { revokedAt, reason: revocationReason } = status
  throw statusRefusal('revoked', { serialNumber, time, revokedAt, revocationReason })
}

function assertFresh(
  { producedAt, thisUpdate, nextUpdate }: Pick<CertificateStatus, 'producedAt' | 'thisUpdate' | 'nextUpdate'>,
  { time, now, maxGap = MAX_GAP }: OcspContext,
): void {
  if (thisUpdate > now + CLOCK_SKEW) throw ocspRefusal('fromFuture', { thisUpdate, now })
  if (producedAt < thisUpdate - CLOCK_SKEW) throw ocspRefusal('producedBeforeUpdate', { producedAt, thisUpdate })
  if (nextUpdate !== undefined && nextUpdate < thisUpdate)
    throw ocspRefusal('updatesReversed', { thisUpdate, nextUpdate })
  if (nextUpdate !== undefined && nextUpdate + CLOCK_SKEW < time) throw ocspRefusal('stale', { nextUpdate, time })
  if (Math.abs(thisUpdate - time) > maxGap) {
    throw signatureErrors.error('evidenceTimesDiffer', { reason: 'gap', time, thisUpdate, maxGap })
  }
}

const statusRefusal = (reason: string, facts: ErrorDetails): RegistryError =>
  signatureErrors.error('invalidCertificateStatus', { reason, ...facts })

/** Inputs of OCSP validation. Times are milliseconds since the epoch. */
export interface OcspContext extends StatusContext {
  /** The certificate in question. */
  readonly certificate: Certificate
  /** Its issuer, from a validated path. */
  readonly issuer: Certificate
  /** That path, if known: revocations of the authorities above are taken into account too. */
  readonly path?: CertificatePath | undefined
  /** The proven time at which the certificate must have been good. */
  readonly time: number
  /** The nonce of the request, which the response must repeat. */
  readonly nonce?: Uint8Array | undefined
}
