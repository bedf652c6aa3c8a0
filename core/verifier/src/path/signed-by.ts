import type { AlgorithmIdentifier } from '../algorithms/algorithm-identifier.js'
import type { PublicKey, SignatureScheme } from '../algorithms/key.js'
import { type AlgorithmPolicy, requireTrusted } from '../algorithms/policy.js'
import { publicKey } from '../algorithms/public-key.js'
import { signatureScheme } from '../algorithms/signature-scheme.js'
import { RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'
import { RecentMap } from '../recent.js'
import type { Certificate } from '../x509/certificate.js'
import { type Budget, SIGNATURE_STEPS } from './budget.js'
import { failureFacts } from './path-failure.js'

const MAX_LINKS = 20_000
/** Cache of verified signatures: fingerprint of the signed object to that of the issuer. */
const verifiedLinks = new RecentMap<string, string>(MAX_LINKS)

/** Inputs for verifying an authority's signature. */
export interface SignatureRules {
  readonly time: number
  /** The time at which the algorithm must be trusted; certificates must be valid at `time`. */
  readonly now: number
  readonly algorithms: AlgorithmPolicy
  readonly budget: Budget
}

/** A certificate or a CRL. */
export interface Signed {
  readonly tbs: Uint8Array
  readonly signature: Uint8Array
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly fingerprint: string
}

/**
 * Whether the issuer's key signed a certificate or CRL; errors name `blamed`. Valid signatures are cached; whether the algorithm
 * is trusted is checked every time. Throws `certificateSignatureAlgorithmNotSupported` and `algorithmNotTrusted`.
 */
export function isSignedBy(
  signed: Signed,
  issuer: Certificate,
  key: PublicKey,
  blamed: Certificate,
  rules: SignatureRules,
): boolean {
  const scheme = schemeOf(signed, key, blamed, rules.time)
  requireTrustedScheme(scheme, key, blamed, rules)
  // A DSA key may inherit parameters (RFC 3279 section 2.3.2), so the issuer's fingerprint does not determine it.
  const isLink = key.kind !== 'dsa'
  // Cache hits cost the same steps, so that results do not depend on what the process has seen before.
  rules.budget.spend(SIGNATURE_STEPS)
  if (isLink && verifiedLinks.get(signed.fingerprint) === issuer.fingerprint) return true
  if (!key.verify(scheme, signed.tbs, signed.signature)) return false
  if (isLink) verifiedLinks.set(signed.fingerprint, issuer.fingerprint)
  return true
}

/** The key of an authority; an unusable one is an error about its certificate. `above` is its issuer's key. */
export function authorityKey(authority: Certificate, time: number, above?: PublicKey): PublicKey {
  try {
    // Only a DSA key can depend on its issuer's.
    return above?.kind === 'dsa' ? publicKey(authority.spki, above) : authority.publicKey
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const facts = failureFacts(String(error.details?.reason), authority, time, error.details)
    throw signatureErrors.error('certificatePathNotBuilt', facts, error)
  }
}

function schemeOf({ signatureAlgorithm }: Signed, key: PublicKey, blamed: Certificate, time: number): SignatureScheme {
  try {
    return signatureScheme(signatureAlgorithm, key)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const reason = String(error.details?.reason ?? error.code)
    const facts = failureFacts(reason, blamed, time, { algorithm: signatureAlgorithm.oid })
    throw signatureErrors.error('certificateSignatureAlgorithmNotSupported', facts, error)
  }
}

function requireTrustedScheme(
  scheme: SignatureScheme,
  key: PublicKey,
  blamed: Certificate,
  { algorithms, time, now }: SignatureRules,
): void {
  try {
    requireTrusted(algorithms, scheme, key, now)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    throw signatureErrors.error(
      'algorithmNotTrusted',
      failureFacts(String(error.details?.reason), blamed, time, error.details),
      error,
    )
  }
}
