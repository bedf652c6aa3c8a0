import { signatureErrors } from '../errors.js'
import type { DigestAlgorithm } from './digest.js'
import type { PublicKey, SignatureScheme } from './key.js'
import type { SchemeFamily } from './signature-algorithms.js'

/**
 * Which known algorithms may be relied upon, and until when (as ETSI TS 119 312 lists them). A value; give another one to
 * judge by other rules. Moments are milliseconds since the epoch; at that moment the algorithm is trusted no more. What no
 * list has is trusted without an end, and 0 trusts at no time.
 */
export interface AlgorithmPolicy {
  /** Least bits of an RSA modulus, at any time. */
  readonly minRsaBits: number
  /** Bits of an RSA modulus to the moment from which that many are the least: `{ 3072: Date.UTC(2029, 0, 1) }`. */
  readonly minRsaBitsFrom?: Readonly<Record<number, number>>
  /** Least bits of p of a DSA key; `Infinity` trusts none. */
  readonly minDsaBits: number
  /** Digest OID to the moment until which it is trusted; a digest that is not listed is trusted as `DigestAlgorithm.trusted` says. */
  readonly digestsTrustedUntil: Readonly<Record<string, number>>
  /** Family of signature schemes to the moment until which it is trusted, whatever its digest and key. */
  readonly schemesTrustedUntil?: Readonly<Partial<Record<SchemeFamily, number>>>
  /** OID of a curve (`PublicKey.curve`) to the moment until which keys on it are trusted. */
  readonly curvesTrustedUntil?: Readonly<Record<string, number>>
}

/** Refuses MD5, SHA-1, DSA and RSA keys shorter than 2048 bits, at any time. */
export const defaultAlgorithmPolicy: AlgorithmPolicy = {
  minRsaBits: 2048,
  minDsaBits: Number.POSITIVE_INFINITY,
  digestsTrustedUntil: {},
}

/** Whether the policy names a day: then what it trusts now it may not trust later. */
export const namesDays = (policy: AlgorithmPolicy): boolean =>
  [policy.digestsTrustedUntil, policy.minRsaBitsFrom, policy.schemesTrustedUntil, policy.curvesTrustedUntil].some(
    (days = {}) => Object.keys(days).length > 0,
  )

/** Refuses a scheme or a key that the policy does not trust at a time (ms); throws `algorithmNotTrusted`. */
export function requireTrusted(policy: AlgorithmPolicy, scheme: SignatureScheme, key: PublicKey, at: number): void {
  requireTrustedKey(policy, key, at)
  const until = policy.schemesTrustedUntil?.[scheme.family]
  if (hasEnded(until, at)) throw ended(until, at, { reason: 'scheme', algorithm: scheme.family, oid: scheme.oid })
  requireTrustedDigest(policy, scheme.digest, at)
  if (scheme.pss !== undefined) requireTrustedDigest(policy, scheme.pss.mgfDigest, at)
}

/** Refuses a key that is too short, or on a curve that has fallen; throws `algorithmNotTrusted`. */
function requireTrustedKey(policy: AlgorithmPolicy, { kind, bits, curve }: PublicKey, at: number): void {
  const isRsa = kind === 'rsa' || kind === 'rsa-pss'
  const least = isRsa ? policy.minRsaBits : kind === 'dsa' ? policy.minDsaBits : 0
  const reason = 'keySize'
  if (!(bits >= least)) throw notTrusted({ reason, key: kind, bits, ...(Number.isFinite(least) ? { least } : {}) })
  if (isRsa && policy.minRsaBitsFrom !== undefined)
    for (const [more, from] of Object.entries(policy.minRsaBitsFrom))
      if (bits < Number(more) && hasEnded(from, at))
        throw ended(from, at, { reason, key: kind, bits, least: Number(more) })
  const until = curve && policy.curvesTrustedUntil?.[curve.oid]
  if (curve !== undefined && hasEnded(until, at))
    throw ended(until, at, { reason: 'curve', algorithm: curve.name, oid: curve.oid })
}

/** Refuses a digest that is broken or has fallen; throws `algorithmNotTrusted`. */
export function requireTrustedDigest(policy: AlgorithmPolicy, digest: DigestAlgorithm, at: number): void {
  if (isTrustedDigest(policy, digest, at)) return
  const until = policy.digestsTrustedUntil[digest.oid]
  throw notTrusted({
    reason: 'digest',
    algorithm: digest.name,
    oid: digest.oid,
    at,
    ...(until === undefined ? {} : { trustedUntil: until }),
  })
}

/** Whether the policy trusts a digest at a time (ms). */
export function isTrustedDigest(policy: AlgorithmPolicy, digest: DigestAlgorithm, at: number): boolean {
  const until = policy.digestsTrustedUntil[digest.oid]
  return until === undefined ? digest.trusted : at < until
}

const hasEnded = (until: number | undefined, at: number): until is number => until !== undefined && !(at < until)

const ended = (trustedUntil: number, at: number, facts: object) => notTrusted({ ...facts, at, trustedUntil })

const notTrusted = (facts: object) => signatureErrors.error('algorithmNotTrusted', { ...facts })
