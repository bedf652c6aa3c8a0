import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import { ocspRefusal } from '../evidence-refusal.js'
import { itemAt } from '../item-at.js'
import type { Certificate } from '../x509/certificate.js'
import { readBasicOcspResponse } from './basic-ocsp-response.js'
import { namesCertificate } from './cert-id.js'
import type { OcspContext } from './ocsp-context.js'
import { isOcspResponse, readOcspResponse } from './ocsp-response.js'
import { type CertificateStatus, verifyOcsp } from './verify-ocsp.js'

/**
 * Judges several OCSP answers that came with a signature: those about the signer prove its status, those about
 * authorities above it may only speak against them. `path` is the signer's, leaf first. Throws as `verifyOcsp` does.
 */
export function judgeAnswers(
  answers: readonly Uint8Array[],
  path: readonly Certificate[],
  context: Omit<OcspContext, 'certificate' | 'issuer'>,
): CertificateStatus {
  for (const [index, issuer] of path.slice(2).entries()) {
    const certificate = itemAt(path, index + 1)
    for (const answer of about(answers, certificate, issuer))
      requireUnrevoked(answer, { ...context, certificate, issuer })
  }
  const [certificate, issuer] = path
  if (certificate === undefined || issuer === undefined) throw ocspRefusal('otherCertificate')
  let refusal: unknown = ocspRefusal('otherCertificate', { serialNumber: certificate.serialNumber })
  let proof: CertificateStatus | undefined
  for (const answer of about(answers, certificate, issuer).reverse()) {
    try {
      proof = verifyOcsp(answer, { ...context, certificate, issuer })
    } catch (error) {
      if (isStatus(error)) throw error
      refusal = error
    }
  }
  if (proof === undefined) throw refusal
  return proof
}

/** An answer about an authority may be of any time, and one that proves nothing is passed over: nothing rests on it. */
function requireUnrevoked(answer: Uint8Array, context: OcspContext): void {
  try {
    verifyOcsp(answer, { ...context, maxGap: Number.POSITIVE_INFINITY })
  } catch (error) {
    if (isStatus(error) || !(error instanceof RegistryError)) throw error
  }
}

const isStatus = (error: unknown): boolean =>
  error instanceof RegistryError && error.code === 'invalidCertificateStatus'

const about = (answers: readonly Uint8Array[], certificate: Certificate, issuer: Certificate): Uint8Array[] =>
  answers.filter((answer) => isAbout(answer, certificate, issuer))

function isAbout(answer: Uint8Array, certificate: Certificate, issuer: Certificate): boolean {
  try {
    const basic = isOcspResponse(answer) ? readOcspResponse(answer).basic : answer
    if (basic === undefined) return false
    return readBasicOcspResponse(basic).responses.some(({ certId }) => namesCertificate(certId, certificate, issuer))
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}
