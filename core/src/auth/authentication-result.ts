import { type ReadSignature, readIdentity, signatureErrors, signerFacts } from '../signatures/index.js'
import type { AuthenticationResult } from './schema.js'

/** Purposes become part of the session token, which has to fit into a cookie. */
const MOST_PURPOSES = 32

/** What the certificate of a login says about its holder. Throws `badSignerCertificate` for one without an IIN. */
export function authenticationResult(signature: ReadSignature): AuthenticationResult {
  const { userId, businessId, subjectAltName, subjectAltNameStructure, keyStorage, ...facts } = signerFacts(signature)
  const { email } = readIdentity(signature.signer)
  if (facts.extKeyUsages.length > MOST_PURPOSES) {
    throw signatureErrors.error('badSignerCertificate', { reason: 'tooManyPurposes', most: MOST_PURPOSES })
  }
  return {
    userId,
    ...(businessId !== undefined && { businessId }),
    ...(email !== undefined && { email }),
    subject: facts.subject,
    subjectStructure: facts.subjectStructure,
    ...(subjectAltName !== undefined && { subjectAltName }),
    ...(subjectAltNameStructure !== undefined && { subjectAltNameStructure }),
    signAlgorithm: facts.signAlgorithm,
    ...(keyStorage !== undefined && { keyStorage }),
    policyIds: facts.policyIds,
    extKeyUsages: facts.extKeyUsages,
    certificateValidFrom: facts.from,
    certificateValidUntil: facts.until,
  }
}
