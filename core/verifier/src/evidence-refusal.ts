import { DerError } from './der/reader.js'
import { type ErrorDetails, RegistryError } from './error.js'
import { signatureErrors } from './errors.js'

type EvidenceCode = 'invalidTspTimeStamp' | 'invalidOcspData'

/** Errors that an OCSP response may lead to without being invalid itself. */
const VERDICTS = new Set<string>(['invalidCertificateStatus', 'evidenceTimesDiffer'])

const make =
  (code: EvidenceCode) =>
  (reason: string, facts: ErrorDetails = {}, cause?: unknown): RegistryError =>
    signatureErrors.error(code, { reason, ...facts }, cause)

/** `invalidTspTimeStamp` with its sub-indication. */
export const timeStampRefusal = make('invalidTspTimeStamp')

/** `invalidOcspData` with its sub-indication. */
export const ocspRefusal = make('invalidOcspData')

/**
 * What to throw for an error met while a piece of evidence was judged: malformed bytes, and faults of its signer's
 * certificate or algorithms, are faults of the evidence. `details.because` names the code of the original fault.
 */
export function asRefusal(code: EvidenceCode, error: unknown): unknown {
  if (error instanceof DerError) return make(code)('malformed', { problem: error.message }, error)
  if (!(error instanceof RegistryError) || error.code === code) return error
  if (error.code === 'algorithmNotTrusted') {
    const evidence = code === 'invalidOcspData' ? 'ocsp' : 'timeStamp'
    return signatureErrors.error('algorithmNotTrusted', { ...error.details, evidence }, error)
  }
  if (code === 'invalidOcspData' && VERDICTS.has(error.code)) return error
  return signatureErrors.error(code, { reason: error.code, ...error.details, because: error.code }, error)
}
