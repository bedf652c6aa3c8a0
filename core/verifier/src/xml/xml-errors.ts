import type { ErrorDetails, RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'

/** The XML is not well-formed, not in the profile, or over a limit. */
export const notParsed = (reason: string, details: ErrorDetails = {}): RegistryError =>
  signatureErrors.error('signatureNotParsed', { reason, ...details })

/** The signature can be read but is wrong. */
export const invalid = (reason: string, details: ErrorDetails = {}): RegistryError =>
  signatureErrors.error('invalidSignature', { reason, ...details })
