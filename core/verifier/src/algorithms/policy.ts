import { signatureErrors } from '../errors.js'
import type { DigestAlgorithm } from './digest.js'
import type { PublicKey, SignatureScheme } from './key.js'

/** Which known algorithms may be relied upon. A value; give another one to judge by other rules. */
export interface AlgorithmPolicy {
  /** Least bits of an RSA modulus. */
  readonly minRsaBits: number
  /** Least bits of p of a DSA key; `Infinity` trusts none. */
  readonly minDsaBits: number
  /** Digest OID to the moment (ms) until which it is trusted; a digest that is not listed is trusted as `DigestAlgorithm.trusted` says. */
  readonly digestsTrustedUntil: Readonly<Record<string, number>>
}

/** Refuses MD5, SHA-1, DSA and RSA keys shorter than 2048 bits, at any time. */
export const defaultAlgorithmPolicy: AlgorithmPolicy = {
  minRsaBits: 2048,
  minDsaBits: Number.POSITIVE_INFINITY,
  digestsTrustedUntil: {},
}

/** Refuses a scheme or a key that the policy does not trust at a time (ms); throws `algorithmNotTrusted`. */
export function requireTrusted(policy: AlgorithmPolicy, scheme: SignatureScheme, key: PublicKey, at: number): void {
  requireTrustedKey(policy, key)
  requireTrustedDigest(policy, scheme.digest, at)
  if (scheme.pss !== undefined) requireTrustedDigest(policy, scheme.pss.mgfDigest, at)
}

/** Refuses a key that is too short; throws `algorithmNotTrusted`. */
function requireTrustedKey(policy: AlgorithmPolicy, { kind, bits }: PublicKey): void {
  const least = kind === 'rsa' || kind === 'rsa-pss' ? policy.minRsaBits : kind === 'dsa' ? policy.minDsaBits : 0
  if (bits >= least) return
  throw signatureErrors.error('algorithmNotTrusted', {
    reason: 'keySize',
    key: kind,
    bits,
    ...(Number.isFinite(least) ? { least } : {}),
  })
}

/** Refuses a digest that is broken or has fallen; throws `algorithmNotTrusted`. */
export function requireTrustedDigest(policy: AlgorithmPolicy, digest: DigestAlgorithm, at: number): void {
  const until = policy.digestsTrustedUntil[digest.oid]
  if (until === undefined ? digest.trusted : at < until) return
  throw signatureErrors.error('algorithmNotTrusted', {
    reason: 'digest',
    algorithm: digest.name,
    oid: digest.oid,
    at,
    ...(until === undefined ? {} : { trustedUntil: until }),
  })
}
