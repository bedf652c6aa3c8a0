import { signatureErrors } from './errors.js'
import type { ReadSignature } from './signature.js'
import type { Certificate } from './x509/certificate.js'

/**
 * How to treat a signature without a signing-certificate attribute (RFC 5035, EN 319 132-1, 5.2.2): anybody can replace its
 * certificate by another one with the same key, such as one of another organization.
 * `required` refuses it; `known` refuses it where this key has been seen under another certificate; `optional` never.
 */
export type SigningCertificateRule = 'required' | 'known' | 'optional'

export interface SigningCertificateContext {
  /** `known` when absent. */
  readonly signingCertificate?: SigningCertificateRule
  /** Whether this certificate's key has been seen under another certificate; where nobody can tell, it has not. */
  readonly isKeyUnderOther?: (signer: Certificate) => boolean | Promise<boolean>
}

/** Applies the rule; throws `invalidSignature` with reason `signingCertificate`. The answer may have to be waited for. */
export function requireSigningCertificate(
  { signer, certificateNamed }: Pick<ReadSignature, 'signer' | 'certificateNamed'>,
  { signingCertificate = 'known', isKeyUnderOther = () => false }: SigningCertificateContext,
): true | Promise<true> {
  if (certificateNamed || signingCertificate === 'optional') return true
  if (signingCertificate === 'required') throw refusal('absent')
  const other = isKeyUnderOther(signer)
  return other instanceof Promise ? other.then(requireNoOther) : requireNoOther(other)
}

function requireNoOther(other: boolean): true {
  if (other) throw refusal('keyUnderOtherCertificate')
  return true
}

const refusal = (verdict: string) =>
  signatureErrors.error('invalidSignature', { reason: 'signingCertificate', verdict })
