import { RegistryError } from '../../kernel/error.js'
import { type AlgorithmPolicy, requireTrusted } from '../algorithms/policy.js'
import { type PublicKey, publicKey } from '../algorithms/public-key.js'
import { type SignatureScheme, signatureScheme } from '../algorithms/signature-scheme.js'
import { signatureErrors } from '../errors.js'
import type { Certificate } from '../x509/certificate.js'
import { type Budget, SIGNATURE_STEPS } from './budget.js'
import { failureFacts } from './path-failure.js'

const MOST_LINKS = 20_000
const verifiedLinks = new Map<string, true>()

/** What a certificate signature is judged with. */
export interface SignatureRules {
  readonly time: number
  readonly algorithms: AlgorithmPolicy
  readonly budget: Budget
}

/**
 * Whether the issuer's key signed the certificate. What was found right once is remembered by both fingerprints; whether the
 * algorithm is trusted is asked every time. Throws `certificateSignatureAlgorithmNotSupported` and `algorithmNotTrusted`.
 */
export function isSignedBy(
  certificate: Certificate,
  issuer: Certificate,
  key: PublicKey,
  rules: SignatureRules,
): boolean {
  const scheme = schemeOf(certificate, key, rules.time)
  trusted(certificate, scheme, key, rules)
  // A DSA key that inherited parameters (RFC 3279 section 2.3.2) is not a fact of the issuer's certificate alone.
  const link = key.kind === 'dsa' ? undefined : `${certificate.fingerprint}${issuer.fingerprint}`
  if (link !== undefined && verifiedLinks.delete(link)) {
    verifiedLinks.set(link, true)
    return true
  }
  rules.budget.spend(SIGNATURE_STEPS)
  if (!key.verify(scheme, certificate.tbs, certificate.signature)) return false
  if (link !== undefined) remember(link)
  return true
}

/** The key of an authority; one that cannot be used refuses the certificate. `above` is the key that its certificate is under. */
export function authorityKey(authority: Certificate, time: number, above?: PublicKey): PublicKey {
  try {
    return publicKey(authority.spki, above)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const facts = failureFacts(String(error.details?.reason), authority, time, error.details)
    throw signatureErrors.error('certificatePathNotBuilt', facts, error)
  }
}

function remember(link: string): void {
  verifiedLinks.set(link, true)
  if (verifiedLinks.size > MOST_LINKS) verifiedLinks.delete(verifiedLinks.keys().next().value as string)
}

function schemeOf(certificate: Certificate, key: PublicKey, time: number): SignatureScheme {
  try {
    return signatureScheme(certificate.signatureAlgorithm, key)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const facts = failureFacts(String(error.details?.reason ?? error.code), certificate, time, {
      algorithm: certificate.signatureAlgorithm.oid,
    })
    throw signatureErrors.error('certificateSignatureAlgorithmNotSupported', facts, error)
  }
}

function trusted(certificate: Certificate, scheme: SignatureScheme, key: PublicKey, rules: SignatureRules): void {
  try {
    requireTrusted(rules.algorithms, scheme, key, rules.time)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const facts = failureFacts(String(error.details?.reason), certificate, rules.time, error.details)
    throw signatureErrors.error('algorithmNotTrusted', facts, error)
  }
}
