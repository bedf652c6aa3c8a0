import { writeOctetString } from '../der/writer.js'
import type { ErrorDetails, RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'
import { asRefusal, ocspRefusal } from '../evidence-refusal.js'
import type { Certificate } from '../x509/certificate.js'
import type { ExtensionTable } from '../x509/extension-table.js'
import {
  type BasicOcspResponse,
  type Revocation,
  readBasicOcspResponse,
  type SingleResponse,
} from './basic-ocsp-response.js'
import { namesCertificate, requireIssuer } from './cert-id.js'
import type { OcspContext } from './ocsp-context.js'
import { ID_PKIX_OCSP_NONCE } from './ocsp-request.js'
import { isOcspResponse, readOcspResponse } from './ocsp-response.js'
import { authorisedResponder } from './responder.js'

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

/** Clocks of authorities and ours may differ by this much. */
const CLOCK_SKEW = 60_000
const MAX_GAP = 5 * 60_000
const MAX_BYTES = 256 * 1024

const RESPONSE_EXTENSIONS = new Set([ID_PKIX_OCSP_NONCE, '1.3.6.1.5.5.7.48.1.9'])
const SINGLE_EXTENSIONS = new Set(['1.3.6.1.5.5.7.48.1.3', '1.3.6.1.5.5.7.48.1.6', '2.5.29.21', '2.5.29.24'])

/**
 * Judges an OCSP answer (RFC 6960 section 3.2), a `BasicOCSPResponse` or an `OCSPResponse` around one. Throws
 * `invalidOcspData` for an answer that proves nothing, `evidenceTimesDiffer` for one of another time,
 * `invalidCertificateStatus` for a certificate that was revoked or unknown, `algorithmNotTrusted`.
 */
export function verifyOcsp(bytes: Uint8Array, context: OcspContext): CertificateStatus {
  try {
    requireIssuer(context)
    if (bytes.length > MAX_BYTES) throw ocspRefusal('tooLarge')
    const response = isOcspResponse(bytes) ? successful(bytes) : bytes
    const basic = readBasicOcspResponse(response)
    refuseUnknownCritical(basic.extensions, RESPONSE_EXTENSIONS)
    assertNonce(basic, context.nonce)
    const ours = aboutCertificate(basic, context)
    const responder = authorisedResponder(basic, context)
    const { producedAt } = basic
    if (producedAt > context.now + CLOCK_SKEW) throw ocspRefusal('producedInFuture', { producedAt })
    const answer = worst(ours, context.time)
    const { status, thisUpdate, nextUpdate } = answer
    assertGood(answer, context)
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

/** The basic response inside an `OCSPResponse`. */
function successful(bytes: Uint8Array): Uint8Array {
  const { status, basic } = readOcspResponse(bytes)
  if (basic === undefined) throw ocspRefusal('notSuccessful', { status })
  return basic
}

function assertNonce({ extensions }: BasicOcspResponse, sent: Uint8Array | undefined): void {
  if (sent === undefined) return
  const value = extensions.get(ID_PKIX_OCSP_NONCE)?.value
  if (value === undefined) throw ocspRefusal('nonceMissing')
  if (Buffer.compare(value, writeOctetString(sent)) !== 0) throw ocspRefusal('nonceDiffers')
}

function refuseUnknownCritical(extensions: ExtensionTable, known: ReadonlySet<string>): void {
  for (const { oid, critical } of extensions.values()) {
    if (critical && !known.has(oid)) throw ocspRefusal('unknownCriticalExtension', { oid })
  }
}

function aboutCertificate({ responses }: BasicOcspResponse, { certificate, issuer }: OcspContext): SingleResponse[] {
  const ours = responses.filter(({ certId }) => namesCertificate(certId, certificate, issuer))
  if (ours.length === 0) throw ocspRefusal('otherCertificate', { serialNumber: certificate.serialNumber })
  for (const { extensions } of ours) refuseUnknownCritical(extensions, SINGLE_EXTENSIONS)
  return ours
}

/** Of several answers about one certificate the worst counts, then the newest. */
function worst(ours: readonly SingleResponse[], time: number): SingleResponse {
  const rank = (one: SingleResponse) =>
    one.status === 'good' ? 0 : one.status === 'unknown' ? 2 : isRevoked(one, time) ? 3 : 1
  return ours.reduce((a, b) => ((rank(b) - rank(a) || b.thisUpdate - a.thisUpdate) > 0 ? b : a))
}

/** Whoever is called revoked is so by the time of the answer, whatever later date it bears. */
const isRevoked = ({ status, thisUpdate }: SingleResponse, time: number): boolean =>
  typeof status === 'object' && Math.min(status.revokedAt, thisUpdate) <= time

function assertGood(answer: SingleResponse, { certificate, time }: OcspContext): void {
  const { status } = answer
  if (status === 'good') return
  const { serialNumber } = certificate
  if (status === 'unknown') throw statusRefusal('unknown', { serialNumber, time })
  if (!isRevoked(answer, time)) return
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
