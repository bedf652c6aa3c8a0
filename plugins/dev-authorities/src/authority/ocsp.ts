import type { Clock } from '@signed-registry/core'
import type { Holder } from '../cms/signed-data.js'
import {
  bitString,
  element,
  enumerated,
  explicit,
  generalizedTime,
  implicit,
  integer,
  NULL,
  octetString,
  oid,
  sequence,
} from '../der/writer.js'
import { digest, digestAlgorithm, type HashName } from '../hashes.js'
import { OCSP } from '../oids.js'
import { certificateFields } from '../x509/certificate.js'
import { REVOCATION_REASONS, type Revocation } from '../x509/crl.js'
import { encodeExtension, publicKeyBits } from '../x509/extensions.js'
import { type AskedCertId, readCertId, readOcspRequest } from './ocsp-request.js'

/** Status of a certificate. */
export type Status = 'good' | 'unknown' | Revocation

/** A SingleResponse (RFC 6960 4.2.1). */
export interface SingleAnswer {
  /** CertID, DER. */
  readonly certId: Uint8Array
  readonly status: Status
  readonly thisUpdate: number
  readonly nextUpdate?: number | undefined
}

/** Contents and signer of an OCSP response. */
export interface OcspParts {
  readonly responder: Holder
  readonly answers: readonly SingleAnswer[]
  readonly producedAt: number
  /** DER inside the nonce extension. */
  readonly nonce: Uint8Array | undefined
  readonly certificates: readonly Buffer[]
  readonly hash: HashName
}

/** What a misbehaving responder changes. */
export type OcspChange = (honest: OcspParts) => Partial<OcspParts>

/** CertID of a certificate under its issuer (RFC 6960 4.1.1). */
export function certId(certificate: Uint8Array, issuer: Uint8Array, hash: HashName = 'sha256'): Buffer {
  const { subject, spki } = certificateFields(issuer)
  return sequence(
    digestAlgorithm(hash),
    octetString(digest(hash, subject)),
    octetString(digest(hash, publicKeyBits(spki))),
    integer(certificateFields(certificate).serial),
  )
}

const certStatus = (status: Status): Buffer => {
  if (status === 'good') return implicit(0, NULL)
  if (status === 'unknown') return implicit(2, NULL)
  const reason = status.reason === 'unspecified' ? [] : [explicit(0, enumerated(REVOCATION_REASONS[status.reason]))]
  return element(0xa1, generalizedTime(status.at), ...reason)
}

const singleResponse = ({ certId, status, thisUpdate, nextUpdate }: SingleAnswer): Buffer =>
  sequence(
    certId,
    certStatus(status),
    generalizedTime(thisUpdate),
    ...(nextUpdate === undefined ? [] : [explicit(0, generalizedTime(nextUpdate))]),
  )

/** A BasicOCSPResponse. */
export function basicOcspResponse(parts: OcspParts): Buffer {
  const { responder, hash, nonce } = parts
  const algorithm = responder.key.signatureAlgorithm(hash)
  const keyHash = octetString(digest('sha1', publicKeyBits(responder.key.spki)))
  const data = sequence(
    explicit(2, keyHash),
    generalizedTime(parts.producedAt),
    sequence(...parts.answers.map(singleResponse)),
    ...(nonce === undefined
      ? []
      : [explicit(1, sequence(encodeExtension({ oid: OCSP.nonce, critical: false, value: Buffer.from(nonce) })))]),
  )
  return sequence(
    data,
    algorithm,
    bitString(responder.key.sign(data, hash)),
    ...(parts.certificates.length === 0 ? [] : [explicit(0, sequence(...parts.certificates))]),
  )
}

/** OCSPResponseStatus values of responses without responseBytes (RFC 6960 4.2.1). */
const REFUSALS = { malformedRequest: 1, internalError: 2, tryLater: 3, sigRequired: 5, unauthorized: 6 } as const

export const ocspRefusal = (refusal: keyof typeof REFUSALS): Buffer => sequence(enumerated(REFUSALS[refusal]))

/** A successful OCSPResponse around a BasicOCSPResponse. */
export const ocspResponse = (basic: Buffer): Buffer =>
  sequence(enumerated(0), explicit(0, sequence(oid(OCSP.basic), octetString(basic))))

/** A CA and its delegated responder (RFC 6960 4.2.2.2). */
export interface Jurisdiction {
  /** CA certificate, DER. */
  readonly issuer: Buffer
  responder(): Holder
  /** `serial` is INTEGER content octets in hexadecimal. */
  status(serial: string): Status
}

/** An OCSP responder for several CAs: answers the DER of requests with the DER of responses. */
export class OcspResponder {
  constructor(
    private readonly jurisdictions: () => readonly Jurisdiction[],
    private readonly clock: Clock,
  ) {}

  /** Answers an OCSPRequest; `change` replaces parts of the honest answer, for tests of those who check it. */
  respond(request: Uint8Array, change?: OcspChange): Buffer {
    const asked = readOcspRequest(request)
    if (asked === undefined) return ocspRefusal('malformedRequest')
    const jurisdiction = this.jurisdictions().find(({ issuer }) => asked.certIds.every((id) => id.isUnder(issuer)))
    if (jurisdiction === undefined) return ocspRefusal('unauthorized')
    return ocspResponse(this.answer(jurisdiction, asked.certIds, asked.nonce, change))
  }

  /** A BasicOCSPResponse about a certificate, as a signature carries it; `change` as in `respond`. */
  status(certificate: Uint8Array, issuer: Buffer, change?: OcspChange): Buffer {
    const jurisdiction = this.jurisdictions().find((candidate) => candidate.issuer.equals(issuer))
    if (jurisdiction === undefined) throw new TypeError('The issuer is none of these authorities')
    return this.answer(jurisdiction, [readCertId(certId(certificate, issuer))], undefined, change)
  }

  private answer(
    jurisdiction: Jurisdiction,
    certIds: readonly AskedCertId[],
    nonce: Uint8Array | undefined,
    change: OcspChange | undefined,
  ): Buffer {
    const now = this.clock.now()
    const responder = jurisdiction.responder()
    const honest: OcspParts = {
      responder,
      answers: certIds.map((id) => ({ certId: id.der, status: jurisdiction.status(id.serial), thisUpdate: now })),
      producedAt: now,
      nonce,
      certificates: [responder.certificate],
      hash: responder.key.hash,
    }
    return basicOcspResponse({ ...honest, ...change?.(honest) })
  }
}
