import type { Certificate } from '../x509/certificate.js'
import { utc } from './utc.js'

/** A certificate as reports name it. */
export interface CertificateReport {
  /** RFC 4514. */
  readonly subject: string
  readonly issuer: string
  /** Lower-case hexadecimal, as `sha256` is. */
  readonly serialNumber: string
  readonly sha256: string
  readonly notBefore: string
  readonly notAfter: string
}

/** Names a certificate. */
export const certificateReport = (certificate: Certificate): CertificateReport => ({
  subject: certificate.subject.toString(),
  issuer: certificate.issuer.toString(),
  serialNumber: certificate.serialNumber,
  sha256: certificate.fingerprint,
  notBefore: utc(certificate.notBefore),
  notAfter: utc(certificate.notAfter),
})
