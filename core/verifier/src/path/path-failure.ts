import { DerError } from '../der/reader.js'
import type { RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'
import type { Certificate } from '../x509/certificate.js'

const MAX_SUBJECT = 500

/** Facts of a refusal: why, which certificate, and the time it was judged at. */
export const failureFacts = (reason: string, certificate: Certificate, at: number, facts: object = {}) => ({
  reason,
  certificate: describeCertificate(certificate),
  at,
  ...facts,
})

/** A certificate as refusals name it. */
const describeCertificate = ({ subject, serialNumber }: Certificate) => ({
  subject: subject.toString().slice(0, MAX_SUBJECT),
  serialNumber,
})

/** A path that breaks a rule of RFC 5280 section 6. */
export const pathFailure = (reason: string, certificate: Certificate, at: number, facts: object = {}): RegistryError =>
  signatureErrors.error('certificatePathNotBuilt', failureFacts(reason, certificate, at, facts))

/** Runs a check; an extension that cannot be read becomes a refusal of its certificate. */
export function refusingMalformed<T>(certificate: Certificate, at: number, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw signatureErrors.error('certificatePathNotBuilt', failureFacts('certificateMalformed', certificate, at), error)
  }
}
