import { DerError } from '../der/reader.js'
import type { RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'
import type { Certificate } from '../x509/certificate.js'

const MAX_SUBJECT = 500

/** Details of an error: reason, certificate and time. */
export const failureFacts = (reason: string, certificate: Certificate, at: number, facts: object = {}) => ({
  reason,
  certificate: describeCertificate(certificate),
  at,
  ...facts,
})

/** A certificate in error details. */
const describeCertificate = ({ subject, serialNumber }: Certificate) => ({
  subject: subject.toString().slice(0, MAX_SUBJECT),
  serialNumber,
})

/** A path that breaks a rule of RFC 5280 section 6. */
export const pathFailure = (reason: string, certificate: Certificate, at: number, facts: object = {}): RegistryError =>
  signatureErrors.error('certificatePathNotBuilt', failureFacts(reason, certificate, at, facts))

/** Runs a check; turns a DerError, as of a malformed extension, into an error about the certificate. */
export function refusingMalformed<T>(certificate: Certificate, at: number, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw signatureErrors.error('certificatePathNotBuilt', failureFacts('certificateMalformed', certificate, at), error)
  }
}
