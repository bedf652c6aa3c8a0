import type { SignerVerdict } from '../verdict.js'
import { type CertificateReport, certificateReport } from './certificate-report.js'
import { utc } from './utc.js'

/** What says that the signer's certificate was good. */
export type StatusReport =
  | {
      readonly source: 'ocsp'
      readonly thisUpdate: string
      readonly producedAt: string
      readonly nextUpdate: string | undefined
      readonly responder: CertificateReport
      /** Set where it was revoked later than the time judged. */
      readonly revokedLater: { readonly at: string; readonly reason: string | undefined } | undefined
    }
  | {
      readonly source: 'crl'
      readonly crls: readonly {
        readonly issuer: string
        readonly thisUpdate: string
        readonly nextUpdate: string | undefined
        readonly sha256: string
      }[]
      /** Who signed them, where that is not the issuer of the certificate. */
      readonly signers: readonly CertificateReport[]
    }

/** Names what a certificate's status rests on. */
export function statusReport({ status, crlProof }: NonNullable<SignerVerdict['proof']>): StatusReport | undefined {
  if (status !== undefined) {
    const { thisUpdate, producedAt, nextUpdate, responder, revocation } = status
    return {
      source: 'ocsp',
      thisUpdate: utc(thisUpdate),
      producedAt: utc(producedAt),
      nextUpdate: nextUpdate === undefined ? undefined : utc(nextUpdate),
      responder: certificateReport(responder),
      revokedLater: revocation && { at: utc(revocation.revokedAt), reason: reasonOf(revocation.reason) },
    }
  }
  if (crlProof === undefined) return undefined
  const crls = crlProof.crls.map(({ issuer, thisUpdate, nextUpdate, fingerprint }) => ({
    issuer: issuer.toString(),
    thisUpdate: utc(thisUpdate),
    nextUpdate: nextUpdate === undefined ? undefined : utc(nextUpdate),
    sha256: fingerprint,
  }))
  return { source: 'crl', crls, signers: crlProof.signers.map(certificateReport) }
}

const reasonOf = (reason: unknown): string | undefined => (reason === undefined ? undefined : String(reason))
